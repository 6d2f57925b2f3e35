import type { Contract, Page, Parts, Response } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { ensureTemplateInScope } from '../access/resource-scope/ensure-in-scope.ts';
import { found } from '../api-error.ts';
import { instant, instantOrNull } from '../database/instant.ts';
import { decodeCursor, pageOf, readCursor } from '../paging.ts';
import { loadDocument } from '../templates/load-document.ts';
import { Run } from './entities/run.ts';
import { ensureFilter } from './lists/ensure-filter.ts';
import { findTask, listTasks, type TaskRow } from './queries/list-tasks.ts';
import type { TaskKey } from './queries/next-tasks.ts';
import { presentTask } from './read/present-run.ts';

type Item = Response<Contract['runs.tasks']['get']>;

/** Tasks over several runs. */
export const taskList: Handlers<Parts['taskList']> = {
  list: async ({ query: { limit, cursor, assigneeId, ...filter }, ...context }) => {
    const { em, actor } = context;
    await ensureFilter(context, filter);
    if (filter.runId !== undefined) await ensureRun(context, filter.runId);
    const assignee = assigneeId === 'me' ? actor.userId : assigneeId;
    const after = cursor === undefined ? undefined : keyOf(cursor);
    const { rows, total } = await listTasks(em, actor, { ...filter, assigneeId: assignee }, { limit, after });
    const page: Page<TaskRow> = pageOf(
      rows,
      limit,
      total,
      (row) => row,
      ({ id, deadlineAt }) => (deadlineAt === null ? [id] : [instant(deadlineAt), id]),
    );
    return { ...page, data: await Promise.all(page.data.map((row) => present(context, row))) };
  },

  get: async ({ params, ...context }) => readTask(context, params.taskId),
};

async function ensureRun({ em, actor }: RequestContext, id: string): Promise<void> {
  const { organizationId } = actor;
  const { templateId } = found(await em.findOne(Run, { organizationId, id }, { fields: ['templateId'] }), 'Run');
  await ensureTemplateInScope(em, actor, templateId);
}

function keyOf(cursor: string): TaskKey {
  const key = readCursor(cursor, 'instant', 'id');
  if (key) return { deadlineAt: key[0], id: key[1] };
  return { deadlineAt: null, id: decodeCursor(cursor, 'id')[0] };
}

/** A task of the organization with its run. Throws a 404 or 403. */
async function readTask(context: RequestContext, id: string): Promise<Item> {
  const { em, actor } = context;
  const row = found(await findTask(em, actor.organizationId, id), 'Task');
  await ensureTemplateInScope(em, actor, row.templateId);
  return present(context, row);
}

async function present({ em, actor }: RequestContext, row: TaskRow): Promise<Item> {
  const { runId, runTitle, runPublicId, runStatus, templateId, templateVersionId, taskId, position } = row;
  const { tasks } = await loadDocument(em, actor.organizationId, row.retiredFromVersionId ?? templateVersionId);
  const definition = tasks.find(({ id }) => id === taskId);
  if (!definition) throw new Error(`Run ${runId} has a task that its template version does not contain: ${taskId}.`);
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
