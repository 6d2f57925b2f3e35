import { awaitedApprovers, isOpen, type RunState } from '@runward/engine';
import { TaskApprover } from '../entities/task-approver.ts';
import { listsTasks } from './rows.ts';
import { tableOf, type Row } from './table.ts';
import { insert, type Parameter } from './write.ts';

type ApproverRow = Row<typeof TaskApprover>;

const table = tableOf(TaskApprover);
const update = table.columns.filter(({ isKey }) => !isKey).map(({ name }) => `${name} = excluded.${name}`);

/** SQL that writes who has yet to decide on tasks after changes of runs; no SQL if that has not changed. */
export function writeApprovers(
  $: Parameter,
  organizationId: string,
  changes: readonly { readonly before: RunState | null; readonly after: RunState }[],
): string[] {
  const before = byKey(changes.flatMap((change) => (change.before ? approverRows(organizationId, change.before) : [])));
  const after = byKey(changes.flatMap((change) => approverRows(organizationId, change.after)));
  const gone = [...before].flatMap(([key, row]) => (after.has(key) ? [] : row));
  const written = [...after].flatMap(([key, row]) =>
    JSON.stringify(row) === JSON.stringify(before.get(key)) ? [] : row,
  );
  return [...remove($, organizationId, gone), ...insert($, table, written).map(orUpdate)];
}

function approverRows(organizationId: string, run: RunState): ApproverRow[] {
  if (!listsTasks(run)) return [];
  return run.tasks.flatMap((task) => {
    const awaited = isOpen(task) ? awaitedApprovers(task) : null;
    if (!awaited) return [];
    const { userIds, groupIds, isAnyone, excludedUserIds } = awaited;
    const { id: runTaskId, status, deadlineAt } = task;
    const { templateId } = run;
    return [...userIds, ...groupIds, ...(isAnyone ? [organizationId] : [])].map((approverId) => {
      return { organizationId, runTaskId, approverId, templateId, status, deadlineAt, excludedUserIds };
    });
  });
}

function byKey(rows: readonly ApproverRow[]): ReadonlyMap<string, ApproverRow> {
  return new Map(rows.map((row) => [`${row.runTaskId} ${row.approverId}`, row]));
}

function remove($: Parameter, organizationId: string, rows: readonly ApproverRow[]): string[] {
  if (rows.length === 0) return [];
  const idsOf = (id: 'runTaskId' | 'approverId') => `${$(rows.map((row) => row[id]))}::uuid[]`;
  return [
    `delete from ${table.name} old using unnest(${idsOf('runTaskId')}, ${idsOf('approverId')}) gone (run_task_id, approver_id)
    where old.organization_id = ${$(organizationId)} and old.run_task_id = gone.run_task_id and old.approver_id = gone.approver_id
      and exists (select from saved)`,
  ];
}

function orUpdate(inserts: string): string {
  return `${inserts} on conflict (organization_id, run_task_id, approver_id) do update set ${update.join(', ')}`;
}
