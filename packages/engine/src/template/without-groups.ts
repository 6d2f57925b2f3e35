import type { ProcessDocument, RuleAction } from '../process.ts';

/** The groups that tasks, or their rules, assign to. */
export function groupsIn({ tasks }: ProcessDocument): Set<string> {
  const assigned = tasks.flatMap(({ assigneeGroupId, rules }) => [
    assigneeGroupId,
    ...rules.flatMap(({ actions }) =>
      actions.map((action) => (action.type === 'ASSIGN' ? action.assigneeGroupId : null)),
    ),
  ]);
  return new Set(assigned.filter((id) => id !== null));
}

/**
 * Removes assignments to these groups from a document. A rule that loses its assignee assigns to nobody, which
 * publishing reports.
 */
export function withoutGroups(document: ProcessDocument, groupIds: ReadonlySet<string>): ProcessDocument {
  if (groupIds.size === 0) return document;
  const kept = (id: string | null) => (id === null || groupIds.has(id) ? null : id);
  const action = (one: RuleAction): RuleAction =>
    one.type === 'ASSIGN' ? { ...one, assigneeGroupId: kept(one.assigneeGroupId) } : one;
  const tasks = document.tasks.map((task) => ({
    ...task,
    assigneeGroupId: kept(task.assigneeGroupId),
    rules: task.rules.map((rule) => ({ ...rule, actions: rule.actions.map(action) })),
  }));
  return { ...document, tasks };
}
