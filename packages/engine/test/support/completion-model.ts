import type { Fact, ProcessDocument } from '@runward/engine';

/**
 * Whether a run has to complete automatically with the facts from index `since` on. A model of the rule that knows only the document and
 * which tasks the facts complete and reopen: the last required task that is not done completes the run, or, if the document requires none,
 * the last task. No command hides a task yet.
 */
export function completesAutomatically(document: ProcessDocument, facts: readonly Fact[], since: number): boolean {
  const ids = new Map(
    facts.flatMap((fact) =>
      fact.type === 'run.started' ? fact.tasks.map(({ taskId, runTaskId }) => [taskId, runTaskId] as const) : [],
    ),
  );
  const required = document.tasks.filter((task) => task.required);
  const decisive = (required.length > 0 ? required : document.tasks).map(({ id }) => ids.get(id));
  const leftAfter = (count: number) => {
    const done = new Set<string | undefined>();
    for (const fact of facts.slice(0, count)) {
      if (fact.type === 'task.completed') done.add(fact.runTaskId);
      if (fact.type === 'task.reopened') done.delete(fact.runTaskId);
    }
    return decisive.filter((id) => !done.has(id)).length;
  };
  return leftAfter(since) > 0 && leftAfter(facts.length) === 0;
}
