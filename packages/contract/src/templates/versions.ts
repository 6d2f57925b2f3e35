import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id } from '../values.ts';
import { templateDiff } from './change.ts';
import { phase } from './phases.ts';
import { draftRejections } from './rejections.ts';
import { task } from './tasks.ts';
import { template } from './template.ts';
import { variable } from './variables.ts';

/** A published version without its document. */
export const templateVersion = component('TemplateVersion', 'A published version without its document.', {
  id: id.describe('Id of the version.'),
  templateVersionId: id.describe('The same as `id`, under the name that runs and published fields use for it.'),
  templateId: id.describe('The template of the version.'),
  number: z.int().min(1).describe('Counts from 1 within the template.'),
  note: z.string().nullable().describe('The note given when it was published.'),
  publishedAt: z.iso.datetime().describe('When the version was published.'),
  publishedByUserId: id.describe('The member who published the version.'),
});

/** Published versions of a template; they never change (spec: Template draft and versions). */
export const templateVersions = {
  list: {
    method: 'GET',
    path: '/templates/:id/versions',
    access: 'templates:read',
    summary: 'List the published versions, newest first',
    query: pageQuery,
    response: page(templateVersion),
  },
  get: {
    method: 'GET',
    path: '/templates/:id/versions/:versionId',
    large: true,
    access: 'templates:read',
    summary: 'Get a version with its phases, tasks and variables',
    response: templateVersion
      .extend({
        phases: z.array(phase).describe('Its phases, by position.'),
        tasks: z.array(task).describe('Its tasks with their fields, by position.'),
        variables: z.array(variable).describe('Its flow variables.'),
      })
      .meta({
        id: 'TemplateVersionDocument',
        description: 'A published version with its phases, tasks and variables.',
      }),
  },
  draftDiff: {
    method: 'GET',
    path: '/templates/:id/versions/draft-diff',
    large: true,
    access: 'templates:read',
    summary: 'Compare the draft with the published version',
    description:
      'What publishing would change. The draft of a template that was never published is compared with an empty one.',
    response: templateDiff,
  },
  diff: {
    method: 'GET',
    path: '/templates/:id/versions/:versionId/diff',
    large: true,
    access: 'templates:read',
    summary: 'Compare a version with an earlier one',
    description: 'Returns 404 if one of them is not a version of the template.',
    query: z.strictObject({
      against: id
        .optional()
        .describe(
          'The version to compare with. Default: the version before; the first version is compared with an empty template.',
        ),
    }),
    response: templateDiff,
  },
  restore: {
    method: 'POST',
    path: '/templates/:id/versions/:versionId/restore',
    large: true,
    access: 'templates:write',
    summary: 'Restore a version into the draft',
    description:
      'Replaces the draft with the content of the version, with the same ids; versions and runs do not change. What was assigned to a group ' +
      'that has been deleted is assigned to no one. Returns 400 if the template is archived.',
    errors: draftRejections,
    response: template,
    versioned: true,
  },
} as const satisfies Group;
