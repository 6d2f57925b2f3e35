import type { Parts } from '@runward/contract';
import { findTemplate } from '../access/find-template.ts';
import { atomic, type Handlers } from '../access/handler.ts';
import { launchRun } from './launch/launch-run.ts';
import { ensureFilterSet } from './lists/ensure-filter-set.ts';
import { pageOfRuns } from './lists/page-of-runs.ts';
import { presentLaunchedRun } from './read/present-run.ts';

/** Runs seen from their template (spec: Templates). */
export const templateRuns: Handlers<Parts['templateRuns']> = {
  list: async ({ params, query, ...context }) => {
    await findTemplate(context, params.id);
    await ensureFilterSet(context, query);
    return pageOfRuns(context, { ...query, templateId: params.id });
  },

  launch: atomic(async ({ params, body, ...context }) =>
    presentLaunchedRun(await launchRun(context, params.id, body ?? {})),
  ),
};
