import { runStatuses, type Contract } from '@runward/contract';
import { ensureTemplateInScope } from '../access/resource-scope/ensure-in-scope.ts';
import { ensureFilter } from './ensure-filter.ts';
import { changeRun } from './change-run.ts';
import { changeRuns } from './change-runs.ts';
import { launchRun } from './launch-run.ts';
import type { Em } from '../database/database.ts';
import { loadRun, loadRuns } from './store/load.ts';
import { lockRuns } from './store/lock.ts';
import { countRuns } from './queries/list-runs.ts';
import { listActivity } from './queries/list-activity.ts';
import { badRequest, found, notFound } from '../api-error.ts';
import type { Actor } from '../access/actor.ts';
import type { Handlers } from '../access/handler.ts';
import { pageOfRuns } from './page-of-runs.ts';
import { decodeCursor, pageOf, pageOfAll } from '../paging.ts';
import { presentActivity } from './present-activity.ts';
import { presentLaunchedRun, presentRun } from './present-run.ts';

/** Runs: detailed and other operations (spec: Endpoints, Runs). */
export const runs: Handlers<Omit<Contract['runs'], 'exportCsv'>> = {
  list: async ({ query, ...context }) => {
    await ensureFilter(context, query);
    return pageOfRuns(context, query);
  },

  launch: {
    atomic: true,
    handle: async ({ body: { templateId, ...options }, ...context }) =>
      presentLaunchedRun(await launchRun(context, templateId, options)),
  },

  counts: async ({ query, ...context }) => {
    const { em, actor } = context;
    await ensureFilter(context, query);
    const counts = await countRuns(em, actor, query.templateId);
    const [RUNNING = 0, OVERDUE = 0, COMPLETED = 0, CANCELLED = 0] = runStatuses.map((status) => counts.get(status));
    return { RUNNING, OVERDUE, COMPLETED, CANCELLED, total: RUNNING + OVERDUE + COMPLETED + CANCELLED };
  },

  archive: async ({ body: { runIds }, ...context }) => {
    const { em, actor } = context;
    const { organizationId } = actor;
    if ((await lockRuns(em, organizationId, runIds)).length < runIds.length) throw notFound('Run');
    const runs = (await Array.fromAsync(loadRuns(em, organizationId, runIds))).flat();
    for (const { state } of runs) await ensureTemplateInScope(em, actor, state.templateId);
    const rejections = await changeRuns(context, runs, () => [{ type: 'archive' }]);
    if (rejections.size > 0) {
      const messages = runIds.map((id, index) => [index, rejections.get(id)?.message] as const);
      throw badRequest(
        messages.flatMap(([index, message]) => (message === undefined ? [] : [`runIds[${index}]: ${message}`])),
      );
    }
    return { archived: runs.filter(({ state }) => state.archivedAt === null).length, runIds };
  },

  get: async ({ em, actor, params, query }) => {
    const forms = query.include === 'fieldValues';
    return presentRun(await reachRun(em, actor, params.id, { forms }), { forms });
  },

  update: {
    atomic: true,
    handle: async ({ params, body, ...context }) =>
      presentRun(await changeRun(context, { runId: params.id }, { type: 'rename', title: body.title })),
  },

  complete: {
    atomic: true,
    handle: async ({ params, ...context }) =>
      presentRun(await changeRun(context, { runId: params.id }, { type: 'complete' })),
  },

  cancel: {
    atomic: true,
    handle: async ({ params, ...context }) =>
      presentRun(await changeRun(context, { runId: params.id }, { type: 'cancel' })),
  },

  reopen: async ({ params, ...context }) =>
    presentRun(await changeRun(context, { runId: params.id }, { type: 'reopen' })),

  activity: async ({ em, actor, params, query }) => {
    const { state, activityCount } = await reachRun(em, actor, params.id);
    const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, 'number')[0];
    const rows = await listActivity(em, actor.organizationId, state.id, { limit: query.limit, before });
    return pageOf(rows, query.limit, activityCount, presentActivity, ({ sequence }) => [sequence]);
  },

  variables: async ({ em, actor, params, query }) => {
    const { state, document } = await reachRun(em, actor, params.id);
    return pageOfAll(
      document.variables.map(({ key, description }) => ({ key, value: state.variables[key] ?? null, description })),
      query,
    );
  },
};

/** A run with its tasks, or a 404 or 403. */
async function reachRun(em: Em, actor: Actor, runId: string, { forms } = { forms: false }) {
  const run = found(await loadRun(em, actor.organizationId, { runId }, { forms }), 'Run');
  await ensureTemplateInScope(em, actor, run.state.templateId);
  return run;
}
