import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id, title } from '../values.ts';
import { report } from './reports.ts';

/** The most report presets of an organization. */
export const maximumPresets = 200;

const reportPreset = component('ReportPreset', 'A report under a name, for the pages of portals.', {
  id: id.describe('Id of the preset.'),
  name: title.describe('Display name.'),
  report,
  createdByUserId: id.describe('The member who created it; for an API key, its creator.'),
  createdAt: z.iso.datetime().describe('When the preset was created.'),
});

/** Report presets (spec: Portal). They never change. */
export const reportPresets = {
  list: {
    method: 'GET',
    path: '/portals/report-presets',
    access: 'templates:read',
    summary: 'List report presets, newest first',
    description:
      'A key with a resource mode sees only presets whose templates and folders are all in its resource scope.',
    query: pageQuery,
    response: page(reportPreset),
  },
  create: {
    method: 'POST',
    path: '/portals/report-presets',
    access: 'templates:write',
    summary: 'Save a report preset',
    description: `REPORT blocks of all portals can use it. An organization can have at most ${maximumPresets} presets.`,
    body: component('CreateReportPreset', 'A new report preset.', {
      name: title.describe('Display name. Names need not be unique.'),
      report,
    }),
    errors: ['limit_reached'],
    status: 201,
    response: reportPreset,
  },
  delete: {
    method: 'DELETE',
    path: '/portals/report-presets/:presetId',
    access: 'templates:write',
    summary: 'Delete a report preset',
    description: 'Returns 400 naming the pages if the draft or the published state of a page uses it.',
    errors: ['in_use'],
  },
} as const satisfies Group;
