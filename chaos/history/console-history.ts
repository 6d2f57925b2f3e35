/** Observations of members who fill in forms of tasks in the console. Nobody else fills in these tasks. */
export interface ConsoleHistory {
  readonly memberIds: readonly string[];
  /** Those of one task in the order in which they were sent. */
  readonly forms: readonly SentForm[];
  /** Pages that were not what they should be. */
  readonly problems: readonly string[];
  /** The entries of these tasks, as the API returned them after the run. */
  readonly entries: readonly ShownEntry[];
}

/**
 * A form with another answer. It was sent with the same fields until it got a response that is no error of the service.
 */
export interface SentForm {
  readonly at: number;
  readonly runTaskId: string;
  readonly answer: string;
  /** The button that was pressed. */
  readonly button: 'save' | 'complete';
  /** How often it was sent. */
  readonly sends: number;
  /** The status of the last response; null if the member gave up. */
  readonly status: number | null;
  /** The name of the notice on the page that followed; null if there was none. */
  readonly notice: string | null;
  /** Whether the page of the task contained the answer when it was opened again; null if it was not. */
  readonly isShown: boolean | null;
}

/** An entry of a task. */
export interface ShownEntry {
  readonly runTaskId: string;
  readonly status: string;
  readonly values: readonly unknown[];
}

const notices = { save: ['saved'], complete: ['completed', 'allDone'] } as const;

/** Whether a page has said that the answer is saved, and the task completed if that was wanted. */
export function isConfirmed({ button, sends, status, notice }: SentForm): boolean {
  // The task was completed by an earlier send without a response, and its page takes no more answers.
  if (button === 'complete' && status === 409 && sends > 1) return true;
  return status === 303 && notices[button].some((name) => name === notice);
}
