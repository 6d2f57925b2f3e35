import type { Contract, Page, Response } from '@runward/contract';
import type { TaskDefinition } from '@runward/engine';
import type { RequestContext } from '../../access/request-context.ts';
import { instant, instantOrNull } from '../../database/instant.ts';
import { countLimit, decodeCursor, pageOf, readCursor, type BoundedPaging } from '../../paging.ts';
import { loadDefinitions } from '../../templates/load-document.ts';
import { listTasks, type TaskRow } from '../queries/list-tasks.ts';
import type { TaskKey } from '../queries/next-tasks.ts';
import type { TaskFilter } from '../queries/task-parts.ts';
import { presentTask } from '../read/present-run.ts';

type Item = Response<Contract['runs.tasks']['get']>;

/** A page of tasks over several runs by deadline, each with the row that it was made of. */
export async function pageOfTasks(
  context: RequestContext,
  filter: TaskFilter,
  { limit, cursor, total: mode }: BoundedPaging,
): Promise<Page<{ readonly row: TaskRow; readonly item: Item }>> {
  const after = cursor === undefined ? undefined : keyOf(cursor);
  const most = countLimit({ limit, total: mode }, context.ports.limits);
  const read = await listTasks(context.em, context.actor, filter, { limit, after, most });
  const page: Page<TaskRow> = pageOf(
    { ...read, limit },
    (row) => row,
    ({ id, deadlineAt }) => (deadlineAt === null ? [id] : [instant(deadlineAt), id]),
  );
  const definitions = await loadDefinitions(
    context.em,
    context.actor.organizationId,
    page.data.map(({ id, taskId, retiredFromVersionId, templateVersionId }) => {
      return { id, taskId, versionId: retiredFromVersionId ?? templateVersionId };
    }),
  );
  const data = page.data.flatMap((row) => {
    const definition = definitions.get(row.id);
    return definition ? { row, item: presentListed(row, definition) } : [];
  });
  return { ...page, data };
}

function keyOf(cursor: string): TaskKey {
  const key = readCursor(cursor, 'instant', 'id');
  if (key) return { deadlineAt: key[0], id: key[1] };
  return { deadlineAt: null, id: decodeCursor(cursor, 'id')[0] };
}

/** A task in a list over several runs. */
function presentListed(row: TaskRow, definition: TaskDefinition): Item {
  const { runId, runTitle, runPublicId, runStatus, templateId, position } = row;
  const task = {
    ...row,
    definition,
    dueAt: instantOrNull(row.dueAt),
    deadlineAt: instantOrNull(row.deadlineAt),
    completedAt: instantOrNull(row.completedAt),
  };
  const open = row.openTasks ?? [];
  const blockedBy = open.filter((other) => definition.dependencies.includes(other.taskId)).map(({ id }) => id);
  return { ...presentTask(task, position, blockedBy), runId, runTitle, runPublicId, runStatus, templateId };
}
