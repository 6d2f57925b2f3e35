import type { Fact } from '@runward/engine';
import type { StateRows } from './rows.ts';

/**
 * The rows of the state that a fact writes, by id. Every fact also writes the row of the run and a line of the activity
 * log.
 */
export function rowsWrittenBy(fact: Fact): { readonly [Table in keyof StateRows]?: readonly string[] } {
  switch (fact.type) {
    case 'run.started':
      return { tasks: fact.tasks.map(({ runTaskId }) => runTaskId) };
    case 'run.migrated': {
      const added = fact.added.map(({ runTaskId }) => runTaskId);
      return { tasks: [...fact.kept, ...added, ...fact.restored, ...fact.retired, ...fact.removed] };
    }
    case 'run.rules_synchronized':
    case 'run.renamed':
    case 'run.completed':
    case 'run.cancelled':
    case 'run.reopened':
    case 'run.archived':
    case 'run.unarchived':
    case 'run.overdue':
    case 'run.on_time':
    case 'variable.set':
    case 'variable.reset':
    case 'comment.created':
    case 'comment.edited':
    case 'comment.deleted':
      return {};
    case 'task.completed':
    case 'task.reopened':
    case 'task.due_date_changed':
    case 'task.deadline_moved':
    case 'task.assigned':
    case 'task.hidden':
    case 'task.shown':
    case 'task.blocked':
    case 'task.unblocked':
    case 'approval.requested':
    case 'approval.granted':
    case 'approval.rejected':
    case 'approval.invalidated':
    case 'field.hidden':
    case 'field.shown':
    case 'task.due_soon':
    case 'task.overdue':
      return { tasks: [fact.runTaskId] };
    case 'entry.opened':
    case 'entry.discarded':
      return { entries: [fact.entryId] };
    case 'entry.reopened':
      return { tasks: [fact.runTaskId], entries: [fact.entryId] };
    case 'entry.completed':
      return {
        tasks: [fact.runTaskId],
        entries: [fact.entryId],
        completionKeys: fact.idempotencyKey === null ? [] : [fact.idempotencyKey],
      };
    case 'file.removed':
      return { tasks: [fact.runTaskId], values: [fact.fieldValueId] };
    case 'value.submitted':
      return { values: [fact.fieldValueId] };
  }
}
