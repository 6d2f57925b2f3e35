import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { id, title } from '../values.ts';
import { field } from './field-types.ts';
import { phase } from './phases.ts';
import { newTemplateShare, shareSettings, templateShare } from './shares.ts';
import { task } from './tasks.ts';
import { template } from './template.ts';
import { variable } from './variables.ts';

/**
 * The token of a share. Its format is not checked, because a malformed token must get the same 404 as an unknown one.
 */
const token = z.string().describe('Token of the share, as in `token` of the response that created it.');

/** A part that an import leaves out. */
const droppedPart = component('DroppedPart', 'A part of a shared template that is not imported.', {
  path: z.string().describe('The names that lead to the part, like `Company details > assignee`.'),
  reason: z.string().describe('Why it is not imported, and what to do.'),
});

const dropped = z
  .array(droppedPart)
  .describe('What is not imported, because only the organization that shares the template has it; empty if nothing.');

/** A task of a shared template. It refers to other parts by name instead of by id. */
const sharedTask = task
  .pick({ title: true, description: true, required: true, repeatable: true, due: true })
  .extend({
    requiresApproval: z.boolean().describe('Whether its form has to be approved.'),
    phase: z.string().nullable().describe('Name of the phase that contains the task; null for none.'),
    dependencies: z.array(z.string()).describe('Titles of the tasks that must be completed first.'),
    ruleCount: z.int().min(0).describe('How many conditional-logic rules are imported with the task.'),
    fields: z
      .array(
        field
          .omit({ id: true, position: true, dataSource: true, searchable: true })
          .meta({ id: 'SharedField', description: 'A form field of a shared template.' }),
      )
      .describe('The fields of its form, by position.'),
  })
  .meta({ id: 'SharedTask', description: 'A task of a shared template.' });

/** What a shared template consists of. */
const preview = component('SharedTemplate', 'The published version of a shared template.', {
  ...template.pick({ name: true, description: true, runTitlePattern: true }).shape,
  publishedAt: z.iso.datetime().describe('When the version was published.'),
  hasBackgroundImage: z.boolean().describe('Whether a background image is imported.'),
  phases: z
    .array(
      phase
        .pick({ name: true, description: true })
        .meta({ id: 'SharedPhase', description: 'A phase of a shared template.' }),
    )
    .describe('Its phases, by position.'),
  tasks: z.array(sharedTask).describe('Its tasks, by position.'),
  variables: z
    .array(
      variable
        .omit({ id: true, searchable: true, required: true, shownToGuests: true })
        .meta({ id: 'SharedVariable', description: 'A flow variable of a shared template.' }),
    )
    .describe('Its flow variables.'),
  dropped,
});

/** Shares of templates, and what a share token permits (spec: Shared templates). */
export const sharedTemplates = {
  update: {
    method: 'PATCH',
    path: '/shared-templates/:shareId',
    access: 'templates:write',
    summary: 'Update a share',
    description:
      'Properties that are left out do not change. A later `expiresAt` makes an expired share usable again. Returns 400 if the share is ' +
      'revoked.',
    body: shareSettings.meta({ id: 'UpdateTemplateShare', description: 'Changes to a share.' }),
    errors: ['share_inactive'],
    response: templateShare,
  },
  refresh: {
    method: 'POST',
    path: '/shared-templates/:shareId/refresh',
    access: 'templates:write',
    summary: "Replace a share's token",
    description:
      'The new token is in `token` of this response and cannot be retrieved later. The old token stops working immediately. ' +
      'Returns 400 if the share is revoked or has expired.',
    errors: ['share_inactive'],
    response: newTemplateShare,
  },
  revoke: {
    method: 'DELETE',
    path: '/shared-templates/:shareId',
    access: 'templates:write',
    summary: 'Revoke a share',
    description:
      'Its token stops working immediately. The share remains in the list and cannot be restored. Templates that were ' +
      'imported with it stay. Revoking it again changes nothing.',
  },
  preview: {
    method: 'GET',
    path: '/shared-templates/:token/preview',
    large: true,
    access: 'templates:read',
    summary: 'Preview a shared template',
    description:
      'Works with an API key or session of any organization. Returns 404 if the token is unknown, or its share was revoked or has ' +
      'expired, and 429 after 30 unknown tokens in a minute.',
    params: { token },
    errors: ['too_many_attempts'],
    response: preview,
  },
  import: {
    method: 'POST',
    path: '/shared-templates/:token/import',
    large: true,
    access: 'templates:write',
    summary: 'Import a shared template',
    description:
      'Creates an unpublished template in the organization of the caller. It has new ids and a copy of the background image, and does not ' +
      'change when the original does. Members, groups, data sources and folders are not imported; see `dropped`. Returns the errors of ' +
      'the preview, and 403 for API keys with the resource mode SELECTED_TEMPLATES.',
    params: { token },
    body: component('ImportTemplate', 'Settings of the imported template.', {
      name: title.optional().describe('Default: the name of the shared template.'),
      folderId: id.nullable().optional().describe('The folder of the new template. Default: null, none.'),
    }).optional(),
    errors: ['size_exceeded', 'too_many_attempts'],
    status: 201,
    response: component('ImportedTemplate', 'A template that was imported.', {
      template,
      dropped,
    }),
  },
} as const satisfies Group;
