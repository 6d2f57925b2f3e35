import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { boundedPaging } from '../page.ts';
import { id } from '../values.ts';
import { runFilters, runSort } from './filters.ts';
import { launchRejections } from './rejections.ts';
import { launchedRun, launchOptions, runPage } from './run.ts';

/** Runs of one template (spec: Templates). */
export const templateRuns = {
  list: {
    method: 'GET',
    path: '/templates/:id/runs',
    access: 'templates:read',
    reads: 'replica-on-request',
    summary: 'List the runs of a template, newest first',
    query: z.strictObject({ ...runFilters, ...runSort, ...boundedPaging }),
    response: runPage,
  },
  launch: {
    method: 'POST',
    path: '/templates/:id/runs',
    access: 'runs:execute',
    summary: 'Launch a run of a template',
    description: 'Same as `POST /runs` with `templateId`.',
    body: launchOptions
      .extend({
        templateId: id.nullish().describe('The id in the path. Default: that id; another one is rejected with 400.'),
      })
      .meta({ id: 'LaunchTemplateRun', description: 'Options of the launch.' })
      .optional(),
    errors: launchRejections,
    status: 201,
    response: launchedRun,
  },
} as const satisfies Group;
