import type { Fact } from '@runward/engine';
import { documentOf, type Version } from './versions.ts';

/**
 * Whether the facts from index `since` on must complete the run automatically.
 *
 * A model of the rule. It knows only the versions, and which tasks the facts complete, reopen, hide, show, add and
 * remove. The run completes with the command that leaves no visible required task open or, without visible required
 * tasks, no visible task open. For a migrated run, the required tasks of the new version count.
 */
export function completesAutomatically(versions: readonly Version[], facts: readonly Fact[], since: number): boolean {
  const before = progressAfter(versions, facts.slice(0, since));
  const after = progressAfter(versions, facts);
  const isMigrated = facts.slice(since).some(({ type }) => type === 'run.migrated');
  return leftIn(before, before) > 0 && leftIn(after, isMigrated ? after : before) === 0;
}

/** The visible tasks of the run's version, and whether each is done. */
interface Progress {
  readonly required: ReadonlySet<string>;
  readonly visible: ReadonlyMap<string, boolean>;
}

function leftIn({ required, visible }: Progress, basis: Progress): number {
  const hasRequired = [...basis.visible.keys()].some((id) => basis.required.has(id));
  return [...visible].filter(([id, isDone]) => !isDone && (!hasRequired || required.has(id))).length;
}

interface Seen {
  readonly taskId: string;
  isHidden: boolean;
  isDone: boolean;
  isPart: boolean;
}

function progressAfter(versions: readonly Version[], facts: readonly Fact[]): Progress {
  const tasks = new Map<string, Seen>();
  let required = new Set<string>();
  const begin = (started: Extract<Fact, { type: 'run.started' }>['tasks']) => {
    for (const { runTaskId, taskId, hidden } of started) {
      tasks.set(runTaskId, { taskId, isHidden: hidden, isDone: false, isPart: true });
    }
  };
  for (const fact of facts) {
    if (fact.type === 'run.started') begin(fact.tasks);
    if (fact.type === 'run.migrated') {
      begin(fact.added);
      for (const id of fact.restored) Object.assign(tasks.get(id) ?? {}, { isPart: true });
      for (const id of [...fact.retired, ...fact.removed])
        Object.assign(tasks.get(id) ?? {}, { isPart: false, isHidden: false });
    }
    if (fact.type === 'run.started' || fact.type === 'run.migrated') {
      const document = documentOf(versions, fact.templateVersionId);
      required = new Set(document.tasks.filter((task) => task.required).map(({ id }) => id));
    }
    const task = 'runTaskId' in fact ? tasks.get(fact.runTaskId ?? '') : undefined;
    if (!task) continue;
    if (fact.type === 'task.completed') task.isDone = true;
    if (fact.type === 'task.reopened') task.isDone = false;
    if (fact.type === 'task.hidden') task.isHidden = true;
    if (fact.type === 'task.shown') task.isHidden = false;
  }
  const visible = [...tasks.values()].filter(({ isHidden, isPart }) => isPart && !isHidden);
  return { required, visible: new Map(visible.map(({ taskId, isDone }) => [taskId, isDone])) };
}
