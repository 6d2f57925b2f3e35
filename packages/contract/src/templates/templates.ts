import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { field } from './field-types.ts';
import { page, pageQuery, paging } from '../page.ts';
import { templateVersion } from './versions.ts';
import { description, id, title } from '../values.ts';

/** DRAFT until first published; ARCHIVED templates cannot be launched. */
export const templateStatuses = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;

/** A template without its document. */
export const template = z
  .strictObject({
    id,
    name: title,
    description: description.nullable(),
    folderId: id.nullable(),
    runTitlePattern: z.string().nullable(),
    status: z.enum(templateStatuses),
    publishedVersionId: id.nullable(),
    hasUnpublishedChanges: z.boolean(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Template' });

const settings = z.strictObject({
  name: title,
  description: description.nullable().optional(),
  folderId: id.nullable().optional(),
  runTitlePattern: title.nullable().optional().meta({
    description: 'Title of new runs; {{name}}, {{date}} and {{variables.KEY}} are filled in at launch.',
  }),
});

/** Templates themselves (spec: Templates); their parts have groups of their own. */
export const templates = {
  list: {
    method: 'GET',
    path: '/templates',
    access: 'templates:read',
    summary: 'List templates, newest first',
    query: z.strictObject({ status: z.enum(templateStatuses).optional(), folderId: id.optional(), ...paging }),
    status: 200,
    response: page(template),
  },
  create: {
    method: 'POST',
    path: '/templates',
    access: 'templates:write',
    summary: 'Create a template draft',
    body: settings,
    status: 201,
    response: template,
  },
  get: {
    method: 'GET',
    path: '/templates/:id',
    access: 'templates:read',
    summary: 'Get a template',
    status: 200,
    response: template,
  },
  update: {
    method: 'PUT',
    path: '/templates/:id',
    access: 'templates:write',
    summary: "Update the template's own settings",
    body: settings.partial(),
    status: 200,
    response: template,
  },
  remove: {
    method: 'DELETE',
    path: '/templates/:id',
    access: 'templates:write',
    summary: 'Delete a template permanently',
    description: 'Answers 400 while RUNNING or OVERDUE runs of it exist. Finished runs stay readable.',
    status: 204,
  },
  duplicate: {
    method: 'POST',
    path: '/templates/:id/duplicate',
    access: 'templates:write',
    summary: 'Copy the draft of a template into a new template',
    body: z.strictObject({ name: title.optional() }).optional(),
    status: 201,
    response: template,
  },
  archive: {
    method: 'POST',
    path: '/templates/:id/archive',
    access: 'templates:write',
    summary: 'Archive a template; it cannot be launched until it is unarchived',
    status: 200,
    response: template,
  },
  unarchive: {
    method: 'POST',
    path: '/templates/:id/unarchive',
    access: 'templates:write',
    summary: 'Bring an archived template back',
    status: 200,
    response: template,
  },
  publish: {
    method: 'POST',
    path: '/templates/:id/publish',
    access: 'templates:publish',
    summary: 'Publish the draft as a new version',
    description: 'Answers 400 listing every fault of the draft.',
    body: z.strictObject({ note: description.optional() }).optional(),
    status: 200,
    response: templateVersion,
  },
  discardDraft: {
    method: 'POST',
    path: '/templates/:id/discard-draft',
    access: 'templates:write',
    summary: 'Discard unpublished changes of the draft',
    status: 200,
    response: template,
  },
  publishedFields: {
    method: 'GET',
    path: '/templates/:id/published-fields',
    access: 'templates:read',
    summary: 'Fields of the published version, in the order of its tasks',
    query: pageQuery,
    status: 200,
    response: page(
      z
        .strictObject({
          runTaskFieldId: id,
          taskId: id,
          taskTitle: z.string(),
          key: z.string(),
          label: z.string(),
          type: field.shape.type,
          required: z.boolean(),
          options: field.shape.options,
        })
        .meta({ id: 'PublishedField' }),
    ).extend({ templateVersionId: id }),
  },
} as const satisfies Group;
