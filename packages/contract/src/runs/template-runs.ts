import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { page, paging } from '../page.ts';
import { launchedRun, launchOptions, runFilters, runListItem } from './run.ts';
import { id } from '../values.ts';

/** Runs of one template (spec: Templates). */
export const templateRuns = {
  list: {
    method: 'GET',
    path: '/templates/:id/runs',
    access: 'templates:read',
    summary: 'List the runs of a template, newest first',
    query: z.strictObject({ ...runFilters, ...paging }),
    status: 200,
    response: page(runListItem),
  },
  launch: {
    method: 'POST',
    path: '/templates/:id/runs',
    access: 'runs:execute',
    summary: 'Launch a run of a template',
    description: 'Same as `POST /runs` with `templateId`.',
    body: launchOptions
      .extend({
        templateId: id
          .nullish()
          .meta({ description: 'The id in the path. Default: that id; another one is rejected with 400.' }),
      })
      .optional(),
    status: 201,
    response: launchedRun,
  },
} as const satisfies Group;
