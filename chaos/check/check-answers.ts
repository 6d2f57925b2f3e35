import type { Deed, Evidence, Happening, Violation } from '../evidence.ts';

/** What time brings about, whoever is the first to notice. */
const byTime = new Set(['task.overdue', 'run.overdue', 'run.on_time']);

/**
 * Every success is in the database, once: a run per launch, and in its activity exactly what the answers promised, in the order in which
 * the client, who alone works on the run, asked for it. A rejection is a mistake, since clients ask only for what is allowed.
 */
export function checkAnswers({ deeds, runs, tasks, activity }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const say = (rule: string, detail: string) => violations.push({ rule, detail });
  const facts = Map.groupBy(activity, ({ runId }) => runId);
  const runTasks = Map.groupBy(tasks, ({ runId }) => runId);
  const byTitle = Map.groupBy(runs, ({ title }) => title);
  const asked = Map.groupBy(deeds, ({ title }) => title);

  for (const { operation, status, message = '', key, title } of deeds) {
    if (status !== null && status >= 400) say('refused', `${operation} of "${title}" (${key}): ${status} ${message}`);
  }
  for (const { id, title } of runs) {
    if (!asked.has(title)) say('made up', `run ${id} "${title}" was launched by nobody`);
  }
  for (const [title, ofRun] of asked) {
    const [run, ...others] = byTitle.get(title) ?? [];
    if (others.length > 0) say('done twice', `launch of "${title}" made ${others.length + 1} runs`);
    if (!run) {
      if (ofRun.some(isDone)) say('lost answer', `launch of "${title}" was answered, and there is no such run`);
      continue;
    }
    const strange = ofRun.find(({ runId }) => runId !== null && runId !== run.id);
    if (strange) say('lost answer', `launch of "${title}" was answered with ${strange.runId}, the run is ${run.id}`);
    const ofTime = facts.get(run.id) ?? [];
    const happened = ofTime.filter(({ type }) => !byTime.has(type)).map(nameOf);
    const problem = compare(ofRun, happened);
    if (problem) say(problem.rule, `run ${run.id} "${title}": ${problem.detail}`);
    for (const detail of outOfStep(run.status, runTasks.get(run.id) ?? [], ofTime)) {
      say('rows and activity differ', `run ${run.id} "${title}": ${detail}`);
    }
  }
  return violations;
}

const isDone = ({ status }: Deed) => status !== null && status < 400;
const nameOf = ({ type, runTaskId }: Happening) => (runTaskId === null ? type : `${type} ${runTaskId}`);

/** Holds what happened against what was promised. A deed without an answer, always a run's last, may have happened or not. */
function compare(deeds: readonly Deed[], happened: readonly string[]): Violation | null {
  const promised = deeds.filter(isDone).flatMap(({ facts }) => facts.map(nameOf));
  const open = deeds.filter(({ status }) => status === null).flatMap(({ facts }) => facts.map(nameOf));
  const same = (wanted: readonly string[]) => wanted.join() === happened.join();
  if (same(promised) || (open.length > 0 && same([...promised, ...open]))) return null;
  const all = [...promised, ...open];
  const at = all.findIndex((name, index) => name !== happened[index]);
  const where = at === -1 ? all.length : at;
  const detail = `as number ${where + 1} ${all[where] ?? 'nothing more'} was promised, the activity has ${happened[where] ?? 'nothing more'}`;
  return { rule: happened.length > promised.length ? 'done twice' : 'lost answer', detail };
}

const runStatusAfter: Readonly<Record<string, string>> = {
  'run.started': 'RUNNING',
  'run.overdue': 'OVERDUE',
  'run.on_time': 'RUNNING',
  'run.reopened': 'RUNNING',
  'run.completed': 'COMPLETED',
  'run.cancelled': 'CANCELLED',
};

const taskStatusAfter: Readonly<Record<string, string>> = { 'task.completed': 'COMPLETED', 'task.reopened': 'PENDING' };

/** Where the status of the run or of a task is not what the activity made it. */
function outOfStep(
  status: string,
  tasks: readonly { id: string; status: string }[],
  facts: readonly Happening[],
): string[] {
  const last = (statuses: Readonly<Record<string, string>>, of: readonly Happening[]) =>
    of.flatMap(({ type }) => statuses[type] ?? []).at(-1);
  const wanted = [
    { what: 'the run', is: status, should: last(runStatusAfter, facts) },
    ...tasks.map((task) => ({
      what: `task ${task.id}`,
      is: task.status,
      should:
        last(
          taskStatusAfter,
          facts.filter(({ runTaskId }) => runTaskId === task.id),
        ) ?? 'PENDING',
    })),
  ];
  return wanted
    .filter(({ is, should }) => is !== should)
    .map(({ what, is, should }) => `${what} is ${is}, not ${should}`);
}
