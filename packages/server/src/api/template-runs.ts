import type { Contract } from '@runward/contract';
import { launchRun } from '../commands/launch-run.ts';
import { reachTemplate } from '../commands/reach-template.ts';
import { atomic, type Handlers } from './handler.ts';
import { pageOfRuns } from './list-runs.ts';
import { presentLaunchedRun } from './present-run.ts';

/** Runs seen from their template (spec: Templates). */
export const templateRuns: Handlers<Contract['templates.runs']> = {
  list: async ({ params, query, ...scene }) => {
    await reachTemplate(scene, params.id);
    return pageOfRuns(scene, { ...query, templateId: params.id });
  },

  launch: atomic(async ({ params, body, ...scene }) =>
    presentLaunchedRun(await launchRun(scene, params.id, body ?? {})),
  ),
};
