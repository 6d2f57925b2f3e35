import type { Contract, Parts, Response } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { ensureTemplateInScope } from '../access/resource-scope/ensure-in-scope.ts';
import { found } from '../api-error.ts';
import { Run } from './entities/run.ts';
import { ensureFilter } from './lists/ensure-filter.ts';
import { pageOfTasks, presentListed } from './lists/page-of-tasks.ts';
import { findTask } from './queries/list-tasks.ts';

type Item = Response<Contract['runs.tasks']['get']>;

/** Tasks over several runs. */
export const taskList: Handlers<Parts['taskList']> = {
  list: async ({ query: { limit, cursor, assigneeId, ...filter }, ...context }) => {
    await ensureFilter(context, filter);
    if (filter.runId !== undefined) await ensureRun(context, filter.runId);
    const assignee = assigneeId === 'me' ? context.actor.userId : assigneeId;
    const page = await pageOfTasks(context, { ...filter, assigneeId: assignee }, { limit, cursor });
    return { ...page, data: page.data.map(({ item }) => item) };
  },

  get: async ({ params, ...context }) => readTask(context, params.taskId),
};

async function ensureRun({ em, actor }: RequestContext, id: string): Promise<void> {
  const { organizationId } = actor;
  const { templateId } = found(await em.findOne(Run, { organizationId, id }, { fields: ['templateId'] }), 'Run');
  await ensureTemplateInScope(em, actor, templateId);
}

/** A task of the organization with its run. Throws a 404 or 403. */
async function readTask(context: RequestContext, id: string): Promise<Item> {
  const { em, actor } = context;
  const row = found(await findTask(em, actor.organizationId, id), 'Task');
  await ensureTemplateInScope(em, actor, row.templateId);
  return presentListed(context, row);
}
