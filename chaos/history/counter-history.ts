/** A counter of runs that differs from their number. */
export interface WrongCounter {
  readonly templateId: string;
  readonly status: string;
  readonly archived: boolean;
  readonly counted: number;
  readonly runs: number;
  /** The same of the visible tasks of these runs. */
  readonly countedTasks: number;
  readonly tasks: number;
}
