import { z } from 'zod';
import { component } from '../component.ts';
import { id } from '../values.ts';

/** The largest file that a presigned upload accepts, in bytes: 5 GiB. */
export const maximumUploadBytes = 5 * 1024 ** 3;

/**
 * The result of the virus scan. Only CLEAN and SKIPPED files can be downloaded. SKIPPED: the service has no scanner.
 * FAILED: the scanner could not examine the file.
 */
export const scanStatuses = ['PENDING', 'CLEAN', 'INFECTED', 'SKIPPED', 'FAILED'] as const;

/** The result of a virus scan. */
export type ScanStatus = (typeof scanStatuses)[number];

/** The result of a virus scan on the wire. */
export const scanStatus = z.enum(scanStatuses).meta({
  id: 'ScanStatus',
  description:
    'The result of the virus scan. PENDING: not scanned yet. SKIPPED: the service has no scanner. FAILED: the scanner could not examine the ' +
    'file. Only CLEAN and SKIPPED files can be downloaded.',
});

/** The file name that a client states. Leading folders are ignored, and a long name is shortened. */
export const fileName = z
  .string()
  .min(1, 'must not be empty')
  .max(1024, 'must be at most 1024 characters')
  .refine(
    (name) => !/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u.test(name),
    'must not contain control characters or bidirectional overrides; rename the file',
  );

/** An uploaded file (spec: Files). */
export const file = component('File', 'A file that was uploaded for a field of an entry.', {
  id: id.describe('Id of the file; what values of the field contain.'),
  fileName: z.string().describe('Name of the file, without folders; at most 255 bytes in UTF-8.'),
  contentType: z
    .string()
    .describe('Media type detected from the content; `application/octet-stream` if it is not a known binary format.'),
  size: z.int().min(0).describe('Size in bytes.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the content, in lowercase hexadecimal digits.'),
  scanStatus,
  executionEntryId: id.describe('The entry that the file was uploaded to.'),
  runTaskFieldId: id.describe('The field that the file was uploaded for.'),
  createdByUserId: id.describe('The member who uploaded the file.'),
  createdAt: z.iso.datetime().describe('When the upload began.'),
});

/** The URL of a file, as several endpoints return it. */
export const signedUrl = {
  url: z.url().describe('URL of the content. Valid until `expiresAt`, without authentication.'),
  expiresAt: z.iso.datetime().describe('When the URL expires: 15 minutes from now.'),
};
