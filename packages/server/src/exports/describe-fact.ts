import type { Display, Fact, FieldDefinition, RunState } from '@runward/engine';
import { shortened } from '../words.ts';
import { displaySubmitted } from './display-submitted.ts';

/** The names of tasks and fields of a run for its facts. */
export interface Named {
  taskOf(runTaskId: string): string;
  fieldOf(fieldId: string): FieldDefinition | null;
}

const longestValue = 300;

/** The names of the tasks and fields of a run. Those that a migration removed are named by their ids. */
export function namesIn({ tasks, removedTasks }: RunState): Named {
  const all = [...tasks, ...removedTasks];
  const titles = new Map(all.map(({ id, definition }) => [id, definition.title]));
  const fields = new Map(all.flatMap(({ definition }) => definition.fields.map((field) => [field.id, field] as const)));
  return { taskOf: (id) => `“${titles.get(id) ?? id}”`, fieldOf: (id) => fields.get(id) ?? null };
}

/** A fact as a sentence of the audit trail. Values are shortened to 300 characters. */
export function describeFact(fact: Fact, { taskOf, fieldOf }: Named, display: Display): string {
  const runTaskId = 'runTaskId' in fact ? fact.runTaskId : null;
  const task = runTaskId === null ? '' : taskOf(runTaskId);
  const commented = runTaskId === null ? 'the run' : `task ${task}`;
  const label = 'fieldId' in fact ? `“${fieldOf(fact.fieldId)?.label ?? fact.fieldId}”` : '';
  switch (fact.type) {
    case 'run.started':
      return `Run launched as “${fact.title}”.`;
    case 'run.migrated':
      return `Run moved to another version of the template: ${fact.added.length} tasks added, ${fact.removed.length} removed, ${fact.retired.length} retired.`;
    case 'run.rules_synchronized':
      return 'Rules of a later version of the template applied.';
    case 'run.renamed':
      return `Run renamed to “${fact.title}”.`;
    case 'run.completed':
      return fact.automatically ? 'Run completed with its last required task.' : 'Run completed.';
    case 'run.cancelled':
      return 'Run cancelled.';
    case 'run.reopened':
      return 'Run reopened.';
    case 'run.archived':
      return 'Run archived.';
    case 'run.unarchived':
      return 'Run unarchived.';
    case 'run.overdue':
      return 'Run overdue.';
    case 'run.on_time':
      return 'Run no longer overdue.';
    case 'task.completed':
      return `Task ${task} completed${fact.directly ? ' directly' : ''}.`;
    case 'task.reopened':
      return `Task ${task} reopened.`;
    case 'task.due_date_changed':
      return fact.dueAt === null
        ? `Deadline of task ${task} removed.`
        : `Deadline of task ${task} changed to ${fact.dueAtHasTime ? display.dateTime(fact.dueAt) : display.date(fact.dueAt)}.`;
    case 'task.deadline_moved':
      return `Deadline of task ${task} adjusted to the settings of the organization.`;
    case 'task.assigned': {
      const assignee = fact.assigneeId ?? fact.assigneeGroupId;
      const by = fact.byRule ? ' by a rule' : '';
      return assignee === null
        ? `Task ${task} unassigned${by}.`
        : `Task ${task} assigned to ${display.nameOf(assignee)}${by}.`;
    }
    case 'task.hidden':
      return `Task ${task} hidden by a rule.`;
    case 'task.shown':
      return `Task ${task} shown by a rule.`;
    case 'field.hidden':
      return `Field ${label} of task ${task} hidden by a rule.`;
    case 'field.shown':
      return `Field ${label} of task ${task} shown by a rule.`;
    case 'task.blocked':
      return `Task ${task} blocked by tasks that it depends on.`;
    case 'task.unblocked':
      return fact.forced ? `Task ${task} unblocked by force.` : `Task ${task} unblocked.`;
    case 'approval.requested':
      return `Approval of task ${task} requested.`;
    case 'approval.granted':
      return `Approval of task ${task} granted${saying(fact.comment)}`;
    case 'approval.rejected':
      return `Approval of task ${task} rejected${saying(fact.comment)}`;
    case 'approval.invalidated':
      return `Approval of task ${task} no longer counts, because its form changed.`;
    case 'variable.set':
      return `Variable “${fact.key}” set by a rule to ${String(fact.value)}.`;
    case 'variable.reset':
      return `Variable “${fact.key}” no longer set by a rule.`;
    case 'task.due_soon':
      return `Task ${task} due soon.`;
    case 'task.overdue':
      return `Task ${task} overdue.`;
    case 'entry.opened':
      return `Form of task ${task} opened.`;
    case 'value.submitted': {
      const field = fieldOf(fact.fieldId);
      const submitted = { value: fact.value, rowLabel: fact.rowLabel ?? null };
      const value = field ? displaySubmitted(field, submitted, display) : JSON.stringify(fact.value);
      const where = `${label} of task ${task}`;
      return value === null ? `${where} cleared.` : `${where}: ${shortened(value, longestValue)}`;
    }
    case 'file.removed':
      return `Infected file ${display.nameOf(fact.fileId)} removed from ${label} of task ${task}.`;
    case 'entry.completed':
      return `Form of task ${task} completed.`;
    case 'entry.reopened':
      return `Form of task ${task} reopened.`;
    case 'entry.discarded':
      return `Form of task ${task} discarded.`;
    case 'comment.created':
      return `Comment on ${commented}: ${shortened(fact.text, longestValue)}`;
    case 'comment.edited':
      return `Comment on ${commented} edited: ${shortened(fact.text, longestValue)}`;
    case 'comment.deleted':
      return `Comment on ${commented} deleted.`;
  }
}

function saying(comment: string | null): string {
  return comment === null ? '.' : `: “${comment}”`;
}
