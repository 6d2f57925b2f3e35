import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { phase } from './phases.ts';
import { task } from './tasks.ts';
import { variable } from './variables.ts';
import { id } from '../values.ts';

/** A published version without its document. */
export const templateVersion = z
  .strictObject({
    id,
    templateVersionId: id.meta({
      description: 'The same as `id`, under the name that runs and published fields use for it.',
    }),
    templateId: id,
    number: z.int().meta({ description: 'Counts from 1 within the template.' }),
    note: z.string().nullable().meta({ description: 'The note given when it was published.' }),
    publishedAt: z.iso.datetime(),
    publishedByUserId: id,
  })
  .meta({ id: 'TemplateVersion' });

/** Published versions of a template; they never change (spec: Template draft and versions). */
export const templateVersions = {
  list: {
    method: 'GET',
    path: '/templates/:id/versions',
    access: 'templates:read',
    summary: 'List the published versions, newest first',
    query: pageQuery,
    status: 200,
    response: page(templateVersion),
  },
  get: {
    method: 'GET',
    path: '/templates/:id/versions/:versionId',
    access: 'templates:read',
    summary: 'Get a version with its phases, tasks and variables',
    status: 200,
    response: templateVersion
      .extend({ phases: z.array(phase), tasks: z.array(task), variables: z.array(variable) })
      .meta({ id: 'TemplateVersionDocument' }),
  },
} as const satisfies Group;
