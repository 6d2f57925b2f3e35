import { type Client, isValidationError, type PublishedField, type RunTask } from '@runward/sdk';
import type { Checks } from './checks.ts';
import { fillInTask, type Subject } from './fill-in.ts';

/** What the demo does with a run, and the status in which the run ends. */
export const scenarios = {
  'filled in': 'COMPLETED',
  'checked off': 'COMPLETED',
  cancelled: 'CANCELLED',
  reopened: 'RUNNING',
  overdue: 'OVERDUE',
  started: 'RUNNING',
} as const;

/** The name of a scenario. */
export type Scenario = keyof typeof scenarios;

/** The smallest number of runs that shows every scenario but the last. */
export const minRuns = 6;

/**
 * Assigns a scenario to each run: a third is filled in, a sixth checked off, an eighth cancelled, one reopened, one
 * overdue, and the rest only started.
 */
export function assignScenarios(runs: number): Scenario[] {
  const assigned: Scenario[] = [
    ...Array<Scenario>(Math.ceil(runs / 3)).fill('filled in'),
    ...Array<Scenario>(Math.ceil(runs / 6)).fill('checked off'),
    ...Array<Scenario>(Math.ceil(runs / 8)).fill('cancelled'),
    'reopened',
    'overdue',
  ];
  return [...assigned, ...Array<Scenario>(Math.max(0, runs - assigned.length)).fill('started')];
}

/** What a scenario works with. */
export interface ScenarioContext {
  readonly runward: Client;
  /** The API as another member uses it, who approves. */
  readonly approver: Client;
  readonly runId: string;
  readonly fields: readonly PublishedField[];
  readonly subject: Subject;
  readonly checks: Checks;
}

/** Carries out a scenario. Returns how many values were submitted. */
export async function carryOut(scenario: Scenario, context: ScenarioContext): Promise<number> {
  const { runward, runId } = context;
  switch (scenario) {
    case 'filled in':
      return fillIn(context);
    case 'checked off':
      return checkOff(context);
    case 'cancelled':
      await runward.runs.cancel(runId);
      return 0;
    case 'reopened':
      await runward.runs.cancel(runId);
      await runward.runs.reopen(runId);
      return 0;
    case 'overdue':
      await makeOverdue(context);
      return 0;
    case 'started':
      return fillIn(context, 2);
  }
}

/**
 * Fills in every task, or the first `count`. Optional tasks come first, because the last required task completes the
 * run.
 */
async function fillIn(context: ScenarioContext, count?: number): Promise<number> {
  const { tasks } = await context.runward.runs.get(context.runId);
  const order = count === undefined ? tasks.toSorted((a, b) => Number(a.required) - Number(b.required)) : tasks;
  let values = 0;
  for (const task of order.slice(0, count)) {
    values += await fillInOne(context, task);
  }
  return values;
}

function fillInOne(context: ScenarioContext, task: RunTask): Promise<number> {
  const own = context.fields.filter((field) => field.taskId === task.taskId);
  return fillInTask(context, task, own, context.subject);
}

/**
 * Sets the required tasks to COMPLETED without their forms, which completes the run. Then reopens the run and completes
 * it explicitly. Only the task that needs an approval is filled in. Returns the number of submitted values.
 */
async function checkOff(context: ScenarioContext): Promise<number> {
  const { runward, runId, checks } = context;
  const { title, tasks } = await runward.runs.get(runId);
  const required = tasks.filter((task) => task.required);

  const rejection = await runward.runs.complete(runId).then(
    () => '',
    (error: unknown) => {
      if (isValidationError(error)) return error.messages.join('\n');
      throw error;
    },
  );
  const unnamed = required.filter((task) => !rejection.includes(task.title)).map((task) => task.title);
  checks.expect(
    unnamed.length === 0,
    `Completing "${title}" too early must be rejected with the titles of all open tasks; missing: ${unnamed.join(', ')}; message: ${rejection}`,
  );

  let values = 0;
  for (const task of required) {
    // An approval concerns a form.
    if (task.approval) values += await fillInOne(context, task);
    else await runward.runs.tasks.setStatus(task.runTaskId, { status: 'COMPLETED' });
  }
  const { status } = await runward.runs.get(runId);
  checks.expect(status === 'COMPLETED', `"${title}" is ${status} although its last required task was completed.`);

  await runward.runs.reopen(runId);
  await runward.runs.complete(runId);
  return values;
}

/** Moves the deadline of the first task to yesterday. */
async function makeOverdue({ runward, runId }: ScenarioContext): Promise<void> {
  const { tasks } = await runward.runs.get(runId);
  const [first] = tasks;
  if (!first) throw new Error(`The run ${runId} has no tasks.`);
  const dueAt = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();
  await runward.runs.tasks.setDueDate(first.runTaskId, { dueAt });
}
