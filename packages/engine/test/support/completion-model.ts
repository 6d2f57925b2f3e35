import type { Fact, ProcessDocument } from '@runward/engine';

/**
 * Whether a run has to complete automatically with the facts from index `since` on. A model of the rule that knows only the document and
 * which tasks the facts complete, reopen, hide and show: the command that leaves no required visible task open completes the run, or, if
 * no visible task was required, the command that leaves no visible task open.
 */
export function completesAutomatically(document: ProcessDocument, facts: readonly Fact[], since: number): boolean {
  const required = new Set(document.tasks.filter((task) => task.required).map(({ id }) => id));
  const before = visibleTasks(facts.slice(0, since));
  const hasRequired = [...before.keys()].some((id) => required.has(id));
  const leftIn = (tasks: ReadonlyMap<string, boolean>) =>
    [...tasks].filter(([id, isDone]) => !isDone && (!hasRequired || required.has(id))).length;
  return leftIn(before) > 0 && leftIn(visibleTasks(facts)) === 0;
}

/** The ids of the visible tasks after some facts, and whether they are done. */
function visibleTasks(facts: readonly Fact[]): Map<string, boolean> {
  const tasks = new Map<string, { readonly taskId: string; isHidden: boolean; isDone: boolean }>();
  for (const fact of facts) {
    if (fact.type === 'run.started') {
      for (const { runTaskId, taskId, hidden } of fact.tasks) {
        tasks.set(runTaskId, { taskId, isHidden: hidden, isDone: false });
      }
    }
    const task = 'runTaskId' in fact ? tasks.get(fact.runTaskId) : undefined;
    if (!task) continue;
    if (fact.type === 'task.completed') task.isDone = true;
    if (fact.type === 'task.reopened') task.isDone = false;
    if (fact.type === 'task.hidden') task.isHidden = true;
    if (fact.type === 'task.shown') task.isHidden = false;
  }
  const visible = [...tasks.values()].filter(({ isHidden }) => !isHidden);
  return new Map(visible.map(({ taskId, isDone }) => [taskId, isDone]));
}
