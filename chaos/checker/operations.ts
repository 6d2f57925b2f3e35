import type { Fact, History, Operation, Violation } from '../history/history.ts';

/** Facts that no request of the client causes, but time, published rules or the virus scan. */
const notRequested = new Set([
  'task.due_soon',
  'task.overdue',
  'run.overdue',
  'run.on_time',
  'run.rules_synchronized',
  'task.hidden',
  'task.shown',
  'file.removed',
]);

/**
 * Checks that every successful operation is in the database exactly once: one run per launch, with exactly the promised
 * facts in its activity, in the order of the client's requests. Each run has a single client. Any rejection is a
 * violation, because clients only request what is allowed. What members did in the console is left to its checker.
 */
export function checkOperations({ operations, runs, tasks, activity, console }: History): Violation[] {
  const violations: Violation[] = [];
  const report = (rule: string, detail: string) => violations.push({ rule, detail });
  const facts = Map.groupBy(activity, ({ runId }) => runId);
  const runTasks = Map.groupBy(tasks, ({ runId }) => runId);
  const byTitle = Map.groupBy(runs, ({ title }) => title);
  const requested = Map.groupBy(operations, ({ title }) => title);

  for (const { name, status, message = '', key, title } of operations) {
    if (status !== null && status >= 400) report('rejected', `${name} of "${title}" (${key}): ${status} ${message}`);
  }
  for (const { id, title } of runs) {
    if (!requested.has(title)) report('phantom', `run ${id} "${title}" was launched by no client`);
  }
  for (const [title, ofRun] of requested) {
    const [run, ...others] = byTitle.get(title) ?? [];
    if (others.length > 0) report('applied twice', `launch of "${title}" created ${others.length + 1} runs`);
    if (!run) {
      if (ofRun.some(succeeded)) report('lost write', `launch of "${title}" succeeded, but the run does not exist`);
      continue;
    }
    const other = ofRun.find(({ runId }) => runId !== null && runId !== run.id);
    if (other) report('lost write', `launch of "${title}" returned ${other.runId}, but the run is ${run.id}`);
    const ofActivity = facts.get(run.id) ?? [];
    const recorded = ofActivity
      .filter(({ type, line }) => !notRequested.has(type) && !console.memberIds.includes(line.actor.userId ?? ''))
      .map(nameOf);
    const problem = compare(ofRun, recorded);
    if (problem) report(problem.rule, `run ${run.id} "${title}": ${problem.detail}`);
    for (const detail of statusMismatches(run.status, runTasks.get(run.id) ?? [], ofActivity)) {
      report('rows differ from activity', `run ${run.id} "${title}": ${detail}`);
    }
  }
  return violations;
}

const succeeded = ({ status }: Operation) => status !== null && status < 400;
const nameOf = ({ type, runTaskId }: Fact) => (runTaskId === null ? type : `${type} ${runTaskId}`);

/**
 * Compares the recorded facts with the promised ones. An operation without a response may or may not have been applied;
 * it is always the last of the run.
 */
function compare(operations: readonly Operation[], recorded: readonly string[]): Violation | null {
  const promised = operations.filter(succeeded).flatMap(({ facts }) => facts.map(nameOf));
  const possible = operations.filter(({ status }) => status === null).flatMap(({ facts }) => facts.map(nameOf));
  const matches = (expected: readonly string[]) => expected.join() === recorded.join();
  if (matches(promised) || (possible.length > 0 && matches([...promised, ...possible]))) return null;
  const all = [...promised, ...possible];
  const firstDifference = all.findIndex((name, index) => name !== recorded[index]);
  const at = firstDifference === -1 ? all.length : firstDifference;
  const detail = `fact ${at + 1} should be ${all[at] ?? 'absent'}, but the activity has ${recorded[at] ?? 'none'}`;
  return { rule: recorded.length > promised.length ? 'applied twice' : 'lost write', detail };
}

const runStatusAfter: Readonly<Record<string, string>> = {
  'run.started': 'RUNNING',
  'run.overdue': 'OVERDUE',
  'run.on_time': 'RUNNING',
  'run.reopened': 'RUNNING',
  'run.completed': 'COMPLETED',
  'run.cancelled': 'CANCELLED',
};

const taskStatusAfter: Readonly<Record<string, string>> = {
  'task.completed': 'COMPLETED',
  'task.reopened': 'PENDING',
  'approval.requested': 'PENDING_APPROVAL',
  'approval.granted': 'PENDING',
  'approval.rejected': 'PENDING',
  'approval.invalidated': 'PENDING',
};

/** Reports where the status of the run or of a task does not follow from its activity. */
function statusMismatches(
  status: string,
  tasks: readonly { id: string; status: string }[],
  facts: readonly Fact[],
): string[] {
  const last = (statuses: Readonly<Record<string, string>>, of: readonly Fact[]) =>
    of.flatMap(({ type }) => statuses[type] ?? []).at(-1);
  const compared = [
    { what: 'the run', actual: status, expected: last(runStatusAfter, facts) },
    ...tasks.map((task) => ({
      what: `task ${task.id}`,
      actual: task.status,
      expected:
        last(
          taskStatusAfter,
          facts.filter(({ runTaskId }) => runTaskId === task.id),
        ) ?? 'PENDING',
    })),
  ];
  return compared
    .filter(({ actual, expected }) => actual !== expected)
    .map(({ what, actual, expected }) => `${what} is ${actual}, not ${expected}`);
}
