import type { Fact, RunState, TaskState } from '@runward/engine';
import type { Parameter } from './write.ts';

/** The parts of a run's change that rely on other rows. */
interface RelyingChange {
  readonly after: RunState;
  readonly facts: readonly Fact[];
  readonly groupIds: readonly string[];
  readonly assigneeIds: readonly string[];
}

/**
 * SQL for the rows that changes rely on, each as a set that is empty if the row has changed since it was read: the time
 * zone of new deadlines, the templates of reopened runs, the named groups, and the members to whom tasks are
 * assigned. The locks keep transactions that cannot see the changes of the runs yet from changing these rows.
 */
export function requiredRows(
  $: Parameter,
  { organizationId, timeZone }: { readonly organizationId: string; readonly timeZone: string },
  changes: readonly RelyingChange[],
): string[] {
  const usesTimeZone = changes.some(({ facts }) => facts.some(computesEndOfDay));
  const reopened = changes.filter(({ facts }) => facts.some(({ type }) => type === 'run.reopened'));
  const templateIds = reopened.map(({ after }) => after.templateId);
  const groupIds = changes.flatMap((change) => change.groupIds);
  const assigneeIds = changes.flatMap((change) => change.assigneeIds);
  const rows = [
    ...(usesTimeZone ? [`organizations where id = ${$(organizationId)} and time_zone = ${$(timeZone)} for share`] : []),
    ...existing($, 'templates', organizationId, templateIds, 'deleted_at is null for key share'),
    ...existing($, 'groups', organizationId, groupIds, 'deleted_at is null for key share'),
    ...existing($, 'users', organizationId, assigneeIds, `status = 'ACTIVE' for share`),
  ];
  return rows.map((row, index) => `(select from ${row}) required_${index + 1}`);
}

/**
 * Whether a fact computes the end of a day, and therefore depends on the organization's time zone, which can change.
 */
export function computesEndOfDay(fact: Fact): boolean {
  switch (fact.type) {
    case 'task.deadline_moved':
      return true;
    case 'task.due_date_changed':
      return isDateOnly(fact);
    case 'run.started':
      return fact.tasks.some(isDateOnly);
    case 'run.migrated':
      return fact.added.some(isDateOnly);
    default:
      return false;
  }
}

function isDateOnly({ dueAt, dueAtHasTime }: Pick<TaskState, 'dueAt' | 'dueAtHasTime'>): boolean {
  return dueAt !== null && !dueAtHasTime;
}

/** Rows that meet a condition, in a fixed order, so that two statements do not wait for each other. */
function existing(
  $: Parameter,
  table: 'templates' | 'groups' | 'users',
  organizationId: string,
  ids: readonly string[],
  condition: string,
): string[] {
  const each = [...new Set(ids)].toSorted();
  return each.map((id) => `${table} where organization_id = ${$(organizationId)} and id = ${$(id)} and ${condition}`);
}
