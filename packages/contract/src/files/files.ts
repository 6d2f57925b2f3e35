import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { boundedPage, boundedPaging } from '../page.ts';
import { binary, fileStream, stream } from '../transfer.ts';
import { id } from '../values.ts';
import { file, scanStatus, signedUrl } from './file.ts';

const token = z
  .string()
  .max(2048)
  .regex(/^[\w-]+\.[\w-]+$/, 'must be the token of a URL that this API returned')
  .describe('Token of the signed URL.');

/** Reading files (spec: Files). */
export const files = {
  list: {
    method: 'GET',
    path: '/files',
    access: 'files:read',
    guests: true,
    summary: 'List the files attached to a run, an entry or a field',
    description:
      'Newest first. At least one of the parameters is required; they are combined with AND. A file that a value no longer names is not ' +
      'listed. Returns 404 if there is no such run or entry.',
    query: z.strictObject({
      executionEntryId: id.optional().describe('Only files of this entry. Default: all.'),
      runTaskFieldId: id.optional().describe('Only files of this field, in all entries and runs. Default: all.'),
      runId: id.optional().describe('Only files of this run. Default: all.'),
      ...boundedPaging,
    }),
    errors: ['not_found'],
    response: boundedPage(file),
  },
  downloadUrl: {
    method: 'GET',
    path: '/files/:id/download',
    access: 'files:read',
    guests: true,
    summary: 'Get a URL to download a file',
    description:
      'The URL serves ranges and conditional requests, always as an attachment. It stops working when the file is deleted or found to be ' +
      'infected. Returns 400 unless the `scanStatus` of the file is CLEAN or SKIPPED.',
    errors: ['file_not_served'],
    response: component('FileDownload', 'Where to download a file, and what will arrive.', {
      ...signedUrl,
      ...file.pick({ fileName: true, contentType: true, size: true, sha256: true }).shape,
    }),
  },
  thumbnail: {
    method: 'GET',
    path: '/files/:id/thumbnail',
    access: 'files:read',
    guests: true,
    summary: 'Get a URL of the thumbnail of an image or video',
    description:
      'A WebP image of at most 320 x 320 pixels. It is made after the virus scan. Returns 404, with the reason, if there is none.',
    errors: ['no_thumbnail'],
    response: component('Thumbnail', 'Where to download a thumbnail.', {
      ...signedUrl,
      width: z.int().min(1).describe('Width in pixels.'),
      height: z.int().min(1).describe('Height in pixels.'),
    }),
  },
  scanStatus: {
    method: 'GET',
    path: '/files/:id/scan-status',
    access: 'files:read',
    guests: true,
    summary: 'Get the result of the virus scan of a file',
    response: component('ScanResult', 'The result of the virus scan of a file.', {
      status: scanStatus,
      signature: z.string().optional().describe('What was found; present if the status is INFECTED.'),
      scannedAt: z.iso.datetime().optional().describe('When the file was scanned; absent before.'),
    }),
  },
  bulkDownloadZip: {
    method: 'POST',
    path: '/files/bulk-download-zip',
    access: 'files:read',
    effect: 'read',
    summary: 'Download several files as one ZIP',
    description:
      'Files are stored uncompressed, in the order of the ids; a repeated id is ignored, and files with the same name get a number. Returns ' +
      '400 naming each file whose `scanStatus` is not CLEAN or SKIPPED.',
    body: component('DownloadFiles', 'The files to download.', {
      fileIds: z
        .array(id)
        .min(1, 'must contain at least one id')
        .max(500, 'must contain at most 500 ids')
        .describe('1 to 500 files.'),
    }),
    errors: ['not_found', 'file_not_served'],
    response: stream('application/zip'),
  },
  transfer: {
    method: 'GET',
    path: '/files/transfer/:token',
    access: 'public',
    summary: 'Download a file by its signed URL',
    description:
      'Other responses contain such URLs for files that the service stores on disk; use them as they are. A token is valid for one file. ' +
      'Returns 404 if the token is invalid or expired or the file was removed.',
    params: { token },
    response: fileStream(),
  },
  receive: {
    method: 'PUT',
    path: '/files/transfer/:token',
    access: 'public',
    summary: 'Upload a file to its signed URL',
    description:
      'The `uploadUrl` of `POST /files/upload-url`, if the service stores files on disk; use it as it is. A token is valid for one file, ' +
      'which can be sent again until it is confirmed. Returns 400 if the media type or the size is not the announced one.',
    params: { token },
    body: binary('The content of the file.'),
    timeBudgetMs: 3_600_000,
  },
} as const satisfies Group;
