import { runStatuses, type Contract } from '@runward/contract';
import { ensureTemplateInScope } from '../access/resource-scope.ts';
import { carryOut, changeRun, authorOf, lockAndLoad } from './change-run.ts';
import { launchRun } from './launch-run.ts';
import type { Em } from '../database/database.ts';
import { loadRun } from './store/load.ts';
import { countRuns } from './queries/list-runs.ts';
import { listActivity } from './queries/list-activity.ts';
import { lockTemplateRow } from '../templates/queries/lock-template.ts';
import { badRequest, found, notFound } from '../api-error.ts';
import type { Actor } from '../access/actor.ts';
import type { Handlers } from '../access/handler.ts';
import { pageOfRuns } from './page-of-runs.ts';
import { decodeCursor, pageOf, pageOfAll } from '../paging.ts';
import { presentActivity } from './present-activity.ts';
import { presentLaunchedRun, presentRun } from './present-run.ts';

/** Runs: detailed and other operations (spec: Endpoints, Runs). */
export const runs: Handlers<Omit<Contract['runs'], 'exportCsv'>> = {
  list: ({ query, ...context }) => pageOfRuns(context, query),

  launch: {
    atomic: true,
    handle: async ({ body: { templateId, ...options }, ...context }) =>
      presentLaunchedRun(await launchRun(context, templateId, options)),
  },

  counts: async ({ em, actor, query }) => {
    const counts = await countRuns(em, actor, query.templateId);
    const [RUNNING = 0, OVERDUE = 0, COMPLETED = 0, CANCELLED = 0] = runStatuses.map((status) => counts.get(status));
    return { RUNNING, OVERDUE, COMPLETED, CANCELLED, total: RUNNING + OVERDUE + COMPLETED + CANCELLED };
  },

  archive: async ({ em, actor, now, body }) => {
    const refused: string[] = [];
    let archived = 0;
    // In one order everywhere, so that two such calls cannot lock each other out.
    for (const runId of body.runIds.toSorted()) {
      const run = await lockAndLoad(em, actor.organizationId, { runId });
      if (!run) throw notFound('Run');
      await ensureTemplateInScope(em, actor, run.state.templateId);
      const decision = await carryOut(em, run, { type: 'archive' }, authorOf(actor), now);
      if (!decision) throw new Error('A run changed although its row was locked.');
      if (decision.rejection) refused.push(`runIds[${body.runIds.indexOf(runId)}]: ${decision.rejection.message}`);
      else archived += decision.facts.length;
    }
    if (refused.length > 0) throw badRequest(refused);
    return { archived, runIds: body.runIds };
  },

  get: async ({ em, actor, params }) => presentRun((await reachRun(em, actor, params.id)).state),

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

  reopen: async ({ params, ...context }) => {
    const { organizationId } = context.actor;
    const run = await changeRun(context, { runId: params.id }, { type: 'reopen' }, async (em, { templateId }) => {
      // A deleted template has no active runs, also not by this way.
      const isThere = await lockTemplateRow(em, organizationId, templateId, 'deletion');
      if (!isThere) throw badRequest('The template of the run was deleted; its runs cannot be reopened.');
    });
    return presentRun(run);
  },

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
async function reachRun(em: Em, actor: Actor, runId: string) {
  const run = found(await loadRun(em, actor.organizationId, { runId }, { forms: false }), 'Run');
  await ensureTemplateInScope(em, actor, run.state.templateId);
  return run;
}
