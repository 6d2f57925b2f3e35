import { type Client, isValidationError } from '@runward/sdk';
import type { Checks } from './checks.ts';
import { fillInTask, type PublishedField, type Subject } from './fill-in.ts';

/** What becomes of a run, with the status it ends in. */
export const parts = {
  'filled in': 'COMPLETED',
  'ticked off': 'COMPLETED',
  cancelled: 'CANCELLED',
  reopened: 'RUNNING',
  late: 'OVERDUE',
  begun: 'RUNNING',
} as const;

/** The name of a part. */
export type Part = keyof typeof parts;

/** The fewest runs that show every part but the last. */
export const fewestRuns = 6;

/** Deals parts out: a third is filled in, a sixth ticked off, an eighth cancelled, one reopened, one late, the rest begun. */
export function dealParts(runs: number): Part[] {
  const dealt: Part[] = [
    ...Array<Part>(Math.ceil(runs / 3)).fill('filled in'),
    ...Array<Part>(Math.ceil(runs / 6)).fill('ticked off'),
    ...Array<Part>(Math.ceil(runs / 8)).fill('cancelled'),
    'reopened',
    'late',
  ];
  return [...dealt, ...Array<Part>(Math.max(0, runs - dealt.length)).fill('begun')];
}

/** What playing a part needs. */
export interface Scene {
  readonly runward: Client;
  readonly runId: string;
  readonly fields: readonly PublishedField[];
  readonly subject: Subject;
  readonly checks: Checks;
}

/** Plays a part. Answers how many values were submitted. */
export async function play(part: Part, scene: Scene): Promise<number> {
  const { runward, runId } = scene;
  switch (part) {
    case 'filled in':
      return fillIn(scene);
    case 'ticked off':
      await tickOff(scene);
      return 0;
    case 'cancelled':
      await runward.runs.cancel(runId);
      return 0;
    case 'reopened':
      await runward.runs.cancel(runId);
      await runward.runs.reopen(runId);
      return 0;
    case 'late':
      await makeLate(scene);
      return 0;
    case 'begun':
      return fillIn(scene, 2);
  }
}

/** Fills in every task, or the first `count`. The optional ones come first: the last required one completes the run. */
async function fillIn({ runward, runId, fields, subject }: Scene, count?: number): Promise<number> {
  const { tasks } = await runward.runs.get(runId);
  const order = count === undefined ? tasks.toSorted((a, b) => Number(a.required) - Number(b.required)) : tasks;
  let values = 0;
  for (const task of order.slice(0, count)) {
    const own = fields.filter((field) => field.taskId === task.taskId);
    values += await fillInTask(runward, task, own, subject);
  }
  return values;
}

/** Sets the required tasks to COMPLETED without their forms, which completes the run; then reopens it and completes it by hand. */
async function tickOff({ runward, runId, checks }: Scene): Promise<void> {
  const { title, tasks } = await runward.runs.get(runId);
  const required = tasks.filter((task) => task.required);

  const refusal = await runward.runs.complete(runId).then(
    () => '',
    (error: unknown) => {
      if (isValidationError(error)) return error.messages.join('\n');
      throw error;
    },
  );
  const unnamed = required.filter((task) => !refusal.includes(task.title)).map((task) => task.title);
  checks.expect(
    unnamed.length === 0,
    `Completing "${title}" too early must be refused, naming these open tasks too: ${unnamed.join(', ')}; it said: ${refusal}`,
  );

  for (const task of required) await runward.runs.tasks.setStatus(task.runTaskId, { status: 'COMPLETED' });
  const { status } = await runward.runs.get(runId);
  checks.expect(status === 'COMPLETED', `"${title}" is ${status} although its last required task was completed.`);

  await runward.runs.reopen(runId);
  await runward.runs.complete(runId);
}

/** Moves the deadline of the first task to yesterday. */
async function makeLate({ runward, runId }: Scene): Promise<void> {
  const { tasks } = await runward.runs.get(runId);
  const [first] = tasks;
  if (!first) throw new Error(`The run ${runId} has no tasks.`);
  const dueAt = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();
  await runward.runs.tasks.setDueDate(first.runTaskId, { dueAt });
}
