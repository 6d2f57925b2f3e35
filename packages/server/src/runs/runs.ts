import type { Parts } from '@runward/contract';
import { variablesOf, type Rejection } from '@runward/engine';
import { atomic, type Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { notFound } from '../api-error.ts';
import { pageOfAll } from '../paging.ts';
import { changeRun } from './change/change-run.ts';
import { changeRuns, ensureNone, inBatches } from './change/change-runs.ts';
import { launchRun } from './launch/launch-run.ts';
import { ensureFilter } from './lists/ensure-filter.ts';
import { pageOfRuns } from './lists/page-of-runs.ts';
import { countRuns } from './queries/list-runs.ts';
import { findRun } from './read/find-run.ts';
import { pageOfFacts } from './read/page-of-facts.ts';
import { presentActivity } from './read/present-activity.ts';
import { presentLaunchedRun, renderRun, presentRun } from './read/present-run.ts';
import { runAt } from './read/run-at.ts';
import { lockRuns } from './store/lock.ts';

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

  archive: async ({ body: { runIds }, ...context }) => ({
    archived: await changeNamedRuns(context, runIds, { type: 'archive' }),
    runIds,
  }),

  unarchive: async ({ body: { runIds }, ...context }) => ({
    unarchived: await changeNamedRuns(context, runIds, { type: 'unarchive' }),
    runIds,
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
 * Archives all of these runs, or restores them from the archive, or changes none. Returns how many of them changed.
 * Throws a 404, a 403, or a 400 that names each rejected run.
 */
async function changeNamedRuns(
  context: RequestContext,
  runIds: readonly string[],
  command: { readonly type: 'archive' | 'unarchive' },
): Promise<number> {
  const { em, actor } = context;
  const locked = await lockRuns(em, actor.organizationId, runIds);
  if (locked.length < runIds.length) throw notFound('Run');
  const rejections = new Map<string, Rejection>();
  let changed = 0;
  await inBatches(context, locked, null, async (runs) => {
    changed += runs.filter(({ state }) => (state.archivedAt === null) === (command.type === 'archive')).length;
    for (const [id, rejection] of await changeRuns(context, runs, () => [command])) rejections.set(id, rejection);
  });
  ensureNone('runIds', runIds, rejections);
  return changed;
}
