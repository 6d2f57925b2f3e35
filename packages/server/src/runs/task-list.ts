import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { ensureTemplateInScope } from '../access/resource-scope/ensure-in-scope.ts';
import { found } from '../api-error.ts';
import { Run } from './entities/run.ts';
import { ensureFilter } from './lists/ensure-filter.ts';
import { pageOfTasks } from './lists/page-of-tasks.ts';
import { findTask } from './read/find-task.ts';
import { presentTaskIn } from './read/present-run.ts';

/** Tasks over several runs. */
export const taskList: Handlers<Parts['taskList']> = {
  list: async ({ query: { limit, cursor, total, assigneeId, ...filter }, ...context }) => {
    await ensureFilter(context, filter);
    if (filter.runId !== undefined) await ensureRun(context, filter.runId);
    const assignee = assigneeId === 'me' ? context.actor.userId : assigneeId;
    const page = await pageOfTasks(context, { ...filter, assigneeId: assignee }, { limit, cursor, total });
    return { ...page, data: page.data.map(({ item }) => item) };
  },

  get: async ({ params: { taskId }, ...context }) => presentTaskIn((await findTask(context, taskId)).run.state, taskId),
};

async function ensureRun({ em, actor }: RequestContext, id: string): Promise<void> {
  const { organizationId } = actor;
  const { templateId } = found(await em.findOne(Run, { organizationId, id }, { fields: ['templateId'] }), 'Run');
  await ensureTemplateInScope(em, actor, templateId);
}
