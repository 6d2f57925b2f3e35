import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { multipart } from '../transfer.ts';
import { id } from '../values.ts';
import { signedUrl } from './file.ts';

/** Images of templates (spec: Files). */
export const templateAssets = {
  uploadTemplateAsset: {
    method: 'POST',
    path: '/files/template-asset',
    access: 'files:write',
    summary: 'Upload an image of a template',
    description:
      'The image is re-encoded in its format: the first frame, upright, without metadata. It is deleted with its template. Returns 400 if ' +
      'it cannot be decoded or has more than 25 megapixels, and 413 if the file is too large.',
    body: multipart(
      z.strictObject({ templateId: id.describe('The template that the image belongs to.') }),
      {
        file: {
          maximumBytes: 10 * 1024 * 1024,
          contentTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
          description: 'The image, of at most 25 megapixels.',
        },
      },
      'UploadTemplateAsset',
    ),
    errors: ['not_found'],
    status: 201,
    response: component('TemplateAsset', 'An image of a template.', {
      id: id.describe('Id of the image.'),
      templateId: id.describe('The template that the image belongs to.'),
      contentType: z.string().describe('Media type of the image.'),
      size: z.int().min(0).describe('Size in bytes, after re-encoding.'),
      width: z.int().min(1).describe('Width in pixels.'),
      height: z.int().min(1).describe('Height in pixels.'),
      createdAt: z.iso.datetime().describe('When the image was uploaded.'),
    }),
  },
  templateAssetUrl: {
    method: 'GET',
    path: '/files/template-asset/download-url',
    access: 'files:read',
    summary: 'Get a URL to download an image of a template',
    query: z.strictObject({ assetId: id.describe('Id of the image.') }),
    errors: ['not_found'],
    response: component('TemplateAssetUrl', 'Where to download an image of a template.', signedUrl),
  },
} as const satisfies Group;
