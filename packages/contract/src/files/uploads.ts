import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { formRejections } from '../runs/rejections.ts';
import { multipart } from '../transfer.ts';
import { id } from '../values.ts';
import { file, fileName, maximumUploadBytes } from './file.ts';

const place = {
  executionEntryId: id.describe('An open entry.'),
  runTaskFieldId: id.describe('A FILE_UPLOAD, SIGNATURE or IMAGE field of its task.'),
};

const attaches =
  'A FILE_UPLOAD field gets one more file, up to 20; a SIGNATURE or IMAGE field has one, which the new one replaces. SIGNATURE takes PNG, ' +
  'JPEG, WebP and GIF, IMAGE also HEIC. The change counts as a submitted value. ';

const rejections =
  'Returns 400 if the field is hidden or of another type, or if the entry, its task or its run is not open';

/** Uploading files to the fields of entries, and deleting them (spec: Files). */
export const runFiles = {
  directUpload: {
    method: 'POST',
    path: '/files/direct-upload',
    access: 'files:write',
    guests: true,
    summary: 'Upload a file and attach it to a field',
    description: `${attaches}${rejections}, and 413 over 25 MiB; \`POST /files/upload-url\` is for larger files.`,
    body: multipart(
      z.strictObject(place),
      { file: { maximumBytes: 25 * 1024 * 1024, contentTypes: [], description: 'The file, with its name.' } },
      'DirectUpload',
    ),
    timeBudgetMs: 30_000,
    errors: ['not_found', ...formRejections],
    status: 201,
    response: file,
  },
  uploadUrl: {
    method: 'POST',
    path: '/files/upload-url',
    access: 'files:write',
    guests: true,
    summary: 'Get a URL to upload a file to',
    description:
      'Step 1 of 2. Send the content to `uploadUrl` with the `method` and `headers` of the response, then call `POST /files/confirm`. An ' +
      `upload that is not confirmed is deleted after 24 hours. ${rejections}.`,
    body: component('AnnounceUpload', 'The file to upload.', {
      ...place,
      fileName: fileName.describe('Name of the file. Folders are removed, and a long name is shortened.'),
      contentType: z
        .string()
        .max(255, 'must be at most 255 characters')
        .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/, 'must be a media type without parameters, like application/pdf')
        .toLowerCase()
        .describe('Media type of the content. `application/octet-stream` fits every content of a FILE_UPLOAD field.'),
      size: z
        .int({ error: 'must be a whole number of bytes' })
        .min(1, 'must be at least 1')
        .refine((bytes) => bytes <= maximumUploadBytes, `must be at most ${maximumUploadBytes} (5 GiB)`)
        .describe('Size of the content in bytes: 1 to 5,368,709,120 (5 GiB).'),
    }),
    errors: ['not_found', ...formRejections],
    status: 201,
    response: component('UploadUrl', 'Where and how to send the content of a file.', {
      fileId: id.describe('Id of the file, for `POST /files/confirm`.'),
      uploadUrl: z.url().describe('Where to send the content. Needs no API key.'),
      method: z.literal('PUT').describe('The method to send it with.'),
      headers: z
        .record(z.string(), z.string())
        .describe('Headers to send with it. The length must be the announced size.'),
      expiresAt: z.iso.datetime().describe('When `uploadUrl` expires: 15 minutes from now.'),
    }),
  },
  confirm: {
    method: 'POST',
    path: '/files/confirm',
    access: 'files:write',
    guests: true,
    summary: 'Confirm an upload and attach the file to its field',
    description:
      `Step 2 of 2. ${attaches}The last confirmation wins. Repeating it returns the file again. ${rejections}, if nothing was uploaded, or ` +
      'if the size or the media type differs from the announced one.',
    body: component('ConfirmUpload', 'The upload to confirm.', {
      fileId: id.describe('The `fileId` of `POST /files/upload-url`.'),
    }),
    // Reading 5 GiB to compute their hash.
    timeBudgetMs: 600_000,
    errors: ['not_found', ...formRejections, 'upload_incomplete'],
    response: file,
  },
  delete: {
    method: 'DELETE',
    path: '/files/:id',
    access: 'files:write',
    guests: true,
    summary: 'Delete a file',
    description:
      'Removes it from its value, which counts as a submitted value, and deletes its content. URLs to it stop working. Returns 400 if the ' +
      'entry, its task or its run is not open.',
    errors: formRejections,
  },
} as const satisfies Group;
