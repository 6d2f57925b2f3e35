import { z } from 'zod';
import { component } from '../component.ts';
import { description, id, title, version } from '../values.ts';

/**
 * DRAFT until it is published for the first time. ARCHIVED templates cannot be launched, and their drafts cannot be
 * edited.
 */
const templateStatuses = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;

/** The status of a template on the wire. */
export const templateStatus = z
  .enum(templateStatuses)
  .meta({ id: 'TemplateStatus', description: 'Whether a template was never published, is published or is archived.' });

const backgroundImage = component('BackgroundImage', 'The background image of a template.', {
  assetId: id.describe('Id of the image.'),
  url: z
    .url()
    .describe(
      'Signed URL of the image, valid until `expiresAt` without authentication. A 304 does not renew it: to renew it, read the template ' +
        'without `If-None-Match`.',
    ),
  expiresAt: z.iso.datetime().describe('Until when `url` is valid.'),
});

/** A template without its phases, tasks and variables. */
export const template = component('Template', 'A template without its phases, tasks and variables.', {
  id: id.describe('Id of the template.'),
  name: title.describe('Display name.'),
  description: description.nullable().describe('What the template is for; null for none.'),
  folderId: id.nullable().describe('null: in no folder.'),
  runTitlePattern: z.string().nullable().describe('Pattern of the titles of new runs; null: the name of the template.'),
  status: templateStatus.describe(
    'DRAFT until the first version is published. ARCHIVED templates cannot be launched or edited.',
  ),
  publishedVersionId: id.nullable().describe('The version that new runs use; null before the first.'),
  hasUnpublishedChanges: z.boolean().describe('Whether the draft differs from the published version.'),
  backgroundImage: backgroundImage.nullable().describe('null: none.'),
  createdAt: z.iso.datetime().describe('When the template was created.'),
  updatedAt: z.iso.datetime().describe('When the template or its draft was last changed.'),
  version,
});
