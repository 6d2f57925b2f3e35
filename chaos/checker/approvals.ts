import type { ActivityRow, History, Violation } from '../history/history.ts';

/** What the activity of a task says about its forms and their approval. */
interface Approved {
  /** The values of each entry, and who opened it or submitted one of the values. */
  readonly entries: Map<unknown, { readonly values: Map<unknown, string>; readonly workers: Set<string | null> }>;
  /** The entry whose approval is requested, and the entry whose values are approved. */
  requested: unknown;
  granted: unknown;
}

/**
 * Checks that a task with an approval is completed only if the approval was granted after the last changed value. Each
 * request is decided once, and not by a member who filled in the form.
 */
export function checkApprovals({
  activity,
  approvalTaskIds,
}: Pick<History, 'activity' | 'approvalTaskIds'>): Violation[] {
  const started = activity.filter(({ type }) => type === 'run.started');
  const tasks = started.flatMap(({ line }) => (line.data['tasks'] ?? []) as { runTaskId: string; taskId: string }[]);
  const approvalTasks = new Set(
    tasks.filter(({ taskId }) => approvalTaskIds.includes(taskId)).map(({ runTaskId }) => runTaskId),
  );
  return [...Map.groupBy(activity, ({ runTaskId }) => runTaskId)].flatMap(([runTaskId, facts]) =>
    runTaskId !== null && approvalTasks.has(runTaskId) ? problemsOf(runTaskId, facts) : [],
  );
}

function problemsOf(runTaskId: string, facts: readonly ActivityRow[]): Violation[] {
  const state: Approved = { entries: new Map(), requested: null, granted: null };
  return facts.flatMap((fact) =>
    follow(state, fact).map((rule) => {
      return { rule, detail: `${fact.type} of task ${runTaskId}, line ${fact.sequence} of run ${fact.runId}` };
    }),
  );
}

/** Applies a fact and returns the rules that it violates. */
function follow(state: Approved, { type, line: { data, actor } }: ActivityRow): string[] {
  const { entryId } = data;
  const entry = state.entries.get(entryId);
  switch (type) {
    case 'entry.opened':
      state.entries.set(entryId, { values: new Map(), workers: new Set([actor.userId]) });
      Object.assign(state, { requested: null, granted: null });
      return [];
    case 'value.submitted': {
      const value = JSON.stringify(data['value']);
      if (entry?.values.get(data['fieldId']) !== value) state.granted = null;
      entry?.values.set(data['fieldId'], value);
      entry?.workers.add(actor.userId);
      return [];
    }
    case 'approval.requested':
      Object.assign(state, { requested: entryId, granted: null });
      return [];
    case 'approval.granted':
    case 'approval.rejected': {
      const rules = [
        ...(state.requested === entryId ? [] : ['decided without a request']),
        ...(entry?.workers.has(actor.userId) ? ['own work decided on'] : []),
      ];
      Object.assign(state, { requested: null, granted: type === 'approval.granted' ? entryId : null });
      return rules;
    }
    case 'approval.invalidated':
    case 'entry.discarded':
      Object.assign(state, { requested: null, granted: null });
      return [];
    case 'task.completed':
      return state.granted === null ? ['completed without approval'] : [];
    default:
      return [];
  }
}
