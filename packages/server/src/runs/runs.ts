import type { Parts } from '@runward/contract';
import { variablesOf, type Command, type RunState } from '@runward/engine';
import { atomic, type Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { pageOfAll } from '../paging.ts';
import { changeRun } from './change/change-run.ts';
import { changeRuns, ensureNone, onRuns } from './change/change-runs.ts';
import { launchRun } from './launch/launch-run.ts';
import { ensureFilter } from './lists/ensure-filter.ts';
import { pageOfRuns } from './lists/page-of-runs.ts';
import { countRuns } from './queries/list-runs.ts';
import { findRun } from './read/find-run.ts';
import { pageOfFacts } from './read/page-of-facts.ts';
import { presentActivity } from './read/present-activity.ts';
import { presentLaunchedRun, renderRun, presentRun } from './read/present-run.ts';
import { runAt } from './read/run-at.ts';

/** Runs: detailed and other operations (spec: Endpoints, Runs). */
export const runs: Handlers<Parts['runs']> = {
  list: async ({ query, ...context }) => {
    await ensureFilter(context, query);
    return pageOfRuns(context, query);
  },

  launch: atomic(async ({ body: { templateId, ...options }, ...context }) =>
    presentLaunchedRun(await launchRun(context, templateId, options)),
  ),

  counts: async ({ query, ...context }) => {
    await ensureFilter(context, query);
    return countRuns(context.em, context.actor, query);
  },

  archive: atomic(async ({ body: { runIds }, ...context }) => {
    const runs = await changeNamedRuns(context, runIds, { type: 'archive' });
    return { archived: runs.filter(({ archivedAt }) => archivedAt === null).length, runIds };
  }),

  unarchive: atomic(async ({ body: { runIds }, ...context }) => {
    const runs = await changeNamedRuns(context, runIds, { type: 'unarchive' });
    return { unarchived: runs.filter(({ archivedAt }) => archivedAt !== null).length, runIds };
  }),

  get: async ({ params, query: { include, at }, ...context }) => {
    const forms = include === 'fieldValues';
    const run = await findRun(context, params.id, { forms });
    if (at === undefined && !forms) return renderRun(context.em, run);
    return presentRun(at === undefined ? run : await runAt(context, run, at), { forms });
  },

  update: atomic(async ({ params, body, ...context }) =>
    presentRun(await changeRun(context, { runId: params.id }, { type: 'rename', title: body.title })),
  ),

  complete: atomic(async ({ params, ...context }) =>
    presentRun(await changeRun(context, { runId: params.id }, { type: 'complete' })),
  ),

  cancel: atomic(async ({ params, ...context }) =>
    presentRun(await changeRun(context, { runId: params.id }, { type: 'cancel' })),
  ),

  reopen: atomic(async ({ params, ...context }) =>
    presentRun(await changeRun(context, { runId: params.id }, { type: 'reopen' })),
  ),

  activity: async ({ params, query, ...context }) => {
    const { state, activityCount } = await findRun(context, params.id);
    const facts = { organizationId: context.actor.organizationId, runId: state.id };
    return pageOfFacts(context, facts, query, presentActivity, activityCount);
  },

  variables: async ({ params, query, ...context }) => {
    const { state } = await findRun(context, params.id);
    const values = variablesOf(state);
    return pageOfAll(
      state.document.variables.map(({ key, description }) => ({ key, value: values[key] ?? null, description })),
      query,
      context.ports.limits,
    );
  },
};

/**
 * Changes all of these runs by one command, or none. Returns their states before the change. Throws a 404, a 403, or a
 * 400 that names each rejected run.
 */
async function changeNamedRuns(context: RequestContext, runIds: string[], command: Command): Promise<RunState[]> {
  return onRuns(context, { runIds }, null, async (within, runs) => {
    const rejections = await changeRuns(within, runs, () => [command]);
    const rejected = runIds.flatMap((id, index) => {
      const rejection = rejections?.get(id);
      return rejection ? [{ code: rejection.code, message: `runIds[${index}]: ${rejection.message}` }] : [];
    });
    ensureNone(rejected);
    return rejections && runs.map(({ state }) => state);
  });
}
