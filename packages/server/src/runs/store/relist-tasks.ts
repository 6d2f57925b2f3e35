import type { RunState } from '@runward/engine';
import { RunTask } from '../entities/run-task.ts';
import { listsTasks } from './rows.ts';
import type { Parameter } from './write.ts';

/**
 * SQL for changes that made a run active or ended it: adds the visible tasks of the runs in `saved` to lists over
 * several runs, or removes them. `written` has the ids of the tasks that the same statement writes anyway, because it
 * can write a row only once.
 */
export function relistTasks(
  $: Parameter,
  changes: readonly { readonly before: RunState | null; readonly after: RunState }[],
  written: readonly string[],
): string[] {
  const changed = changes.filter(({ before, after }) => before && listsTasks(before) !== listsTasks(after));
  const idsOf = (listed: boolean) => changed.flatMap(({ after }) => (listsTasks(after) === listed ? after.id : []));
  const move = (listed: boolean, condition: string) => {
    const runIds = idsOf(listed);
    if (runIds.length === 0) return [];
    return [
      `update ${RunTask.meta.tableName} task set listed = ${listed} from saved
      where task.organization_id = saved.organization_id and task.run_id = saved.id and task.run_id = any(${$(runIds)}::uuid[])
        and ${condition} and task.id <> all(${$(written)}::uuid[])`,
    ];
  };
  return [
    ...move(true, 'not task.listed and not task.hidden and task.removed_at is null'),
    // Not `task.listed`: the index of listed tasks has those of the whole organization.
    ...move(false, 'task.listed is not false'),
  ];
}
