import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, paging } from '../page.ts';
import { upload } from '../transfer.ts';
import { description, id, title } from '../values.ts';
import { field } from './field-types.ts';
import { draftRejections } from './rejections.ts';
import { template, templateStatus } from './template.ts';
import { templateVersion } from './versions.ts';

const settings = z.strictObject({
  name: title.describe('Display name. Names need not be unique.'),
  description: description.nullable().optional().describe('At most 2,000 characters.'),
  folderId: id.nullable().optional().describe('The folder of the template; null: none.'),
  runTitlePattern: title
    .nullable()
    .optional()
    .describe(
      'Title of new runs. `{{name}}`, `{{date}}` (the scheduled date) and `{{variables.KEY}}` are replaced at launch. null: the ' +
        'name of the template.',
    ),
});

/** Templates (spec: Templates). Tasks, fields, phases, variables and versions have their own groups. */
export const templates = {
  list: {
    method: 'GET',
    path: '/templates',
    access: 'templates:read',
    summary: 'List templates, newest first',
    query: z.strictObject({
      status: templateStatus
        .optional()
        .describe('Only templates with this status. Default: all, archived ones included.'),
      folderId: id.optional().describe('Only templates in this folder. Default: all.'),
      name: z
        .string()
        .min(1, 'must not be empty; leave it out for all templates')
        .max(255, 'must be at most 255 characters')
        .optional()
        .describe(
          'Only templates whose name contains this text, ignoring case. Every character stands for itself, `%`, `_`, `*` and `\\` ' +
            'too. Default: all.',
        ),
      ...paging,
    }),
    response: page(template),
  },
  create: {
    method: 'POST',
    path: '/templates',
    access: 'templates:write',
    summary: 'Create a template draft',
    description: 'The draft is empty. Returns 403 for API keys with the resource mode SELECTED_TEMPLATES.',
    body: settings.meta({ id: 'CreateTemplate', description: 'Settings of a new template.' }),
    errors: ['size_exceeded'],
    status: 201,
    response: template,
    versioned: true,
  },
  get: {
    method: 'GET',
    path: '/templates/:id',
    access: 'templates:read',
    summary: 'Get a template',
    response: template,
    versioned: true,
  },
  update: {
    method: 'PUT',
    path: '/templates/:id',
    access: 'templates:write',
    summary: 'Update the settings of a template',
    description: 'Properties that are left out do not change. Takes effect without publishing.',
    body: settings
      .partial()
      .extend({
        backgroundImage: z.null().optional().describe('null removes the background image.'),
      })
      .meta({ id: 'UpdateTemplate', description: 'Changes to the settings of a template.' }),
    response: template,
    versioned: true,
  },
  delete: {
    method: 'DELETE',
    path: '/templates/:id',
    access: 'templates:write',
    summary: 'Delete a template permanently',
    description:
      'The template cannot be restored, its background image is deleted and its shares are revoked. Its COMPLETED and CANCELLED runs stay readable and cannot be reopened. Returns 400 while ' +
      'RUNNING or OVERDUE runs exist.',
    errors: ['in_use'],
    versioned: true,
  },
  setBackgroundImage: {
    method: 'POST',
    path: '/templates/:id/background-image',
    access: 'templates:write',
    summary: 'Upload a background image',
    description:
      'Replaces the current image and takes effect without publishing. The image is re-encoded in its format: the first frame, upright, ' +
      'without metadata. Returns 400 if it cannot be decoded or has more than 25 megapixels, and 413 if the file is too large.',
    body: upload(
      {
        file: {
          maximumBytes: 10 * 1024 * 1024,
          contentTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
          description: 'The image, of at most 25 megapixels.',
        },
      },
      'UploadBackgroundImage',
    ),
    response: template,
    versioned: true,
  },
  duplicate: {
    method: 'POST',
    path: '/templates/:id/duplicate',
    large: true,
    access: 'templates:write',
    summary: 'Duplicate a template',
    description:
      'Copies the settings, the background image and the draft into a new, unpublished template; its phases, tasks, fields and variables get new ids. ' +
      'Returns 403 for API keys with the resource mode SELECTED_TEMPLATES.',
    body: component('DuplicateTemplate', 'Settings of the copy.', {
      name: title.optional().describe('Default: the name of the original with " (copy)" at the end.'),
    }).optional(),
    errors: ['size_exceeded'],
    status: 201,
    response: template,
    versioned: true,
  },
  archive: {
    method: 'POST',
    path: '/templates/:id/archive',
    access: 'templates:write',
    summary: 'Archive a template',
    description:
      'Until it is unarchived it cannot be launched and its draft cannot be edited. Its active runs continue. Its shares are revoked.',
    response: template,
    versioned: true,
  },
  unarchive: {
    method: 'POST',
    path: '/templates/:id/unarchive',
    access: 'templates:write',
    summary: 'Unarchive a template',
    response: template,
    versioned: true,
  },
  publish: {
    method: 'POST',
    path: '/templates/:id/publish',
    large: true,
    access: 'templates:publish',
    summary: 'Publish the draft as a new version',
    description:
      'New runs use the version; existing runs keep their tasks and fields, and get its rules unless `syncRules` is false. Each publication ' +
      'creates a version, also if the draft has not changed. Returns 400 with every problem of the draft, or if the template is archived.',
    body: component('PublishTemplate', 'Options of the publication.', {
      note: description.nullish().describe('What changed, at most 2,000 characters. Default: none.'),
      syncRules: z
        .boolean()
        .optional()
        .describe(
          'Whether active runs that have rules of earlier versions get those of this one; see `GET /templates/:id/rules-sync-status`. Default: true.',
        ),
    }).optional(),
    errors: [...draftRejections, 'draft_invalid'],
    response: templateVersion,
  },
  discardDraft: {
    method: 'POST',
    path: '/templates/:id/discard-draft',
    large: true,
    access: 'templates:write',
    summary: 'Discard the unpublished changes of a draft',
    description: 'Resets the draft to the published version. Returns 400 if there is none or the template is archived.',
    errors: ['template_archived', 'template_not_published'],
    response: template,
    versioned: true,
  },
  publishedFields: {
    method: 'GET',
    path: '/templates/:id/published-fields',
    large: true,
    access: 'templates:read',
    summary: 'List the fields of the published version or an earlier one',
    description:
      'Returns the fields in the order of the tasks and their forms. `POST /execution/field-values` takes `runTaskFieldId`. For a run ' +
      'of an earlier version, send its `templateVersionId`. Returns 404 if the template has no such version, or none is published.',
    query: z.strictObject({
      templateVersionId: id.optional().describe('A version of the template. Default: the published version.'),
      ...paging,
    }),
    response: page(
      component('PublishedField', 'A field of the published version.', {
        runTaskFieldId: id.describe('Id of the field, stable across versions.'),
        taskId: id.describe('The task that the field belongs to.'),
        taskTitle: z.string().describe('Title of the task.'),
        key: z.string().describe('Unique within the template.'),
        label: z.string().describe('What people see.'),
        type: field.shape.type,
        required: z.boolean().describe('Whether an entry can be completed only with a value for the field.'),
        options: field.shape.options,
      }),
    )
      .extend({ templateVersionId: id.describe('The published version.') })
      .meta({ id: 'PublishedFieldPage', description: 'One page of the fields of a version.' }),
  },
} as const satisfies Group;
