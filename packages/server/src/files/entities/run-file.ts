import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { scanStatuses } from '@runward/contract';
import { references } from '../../database/references.ts';

/**
 * A file of a field in an entry. Until its upload is confirmed, it is UPLOADING, its media type and size are the
 * announced ones, and it is deleted at `expiresAt`. The bytes are in the file store under `storageKey`. Whether it is
 * attached is recorded in the value of the field.
 *
 * A STORED file is examined: it is scanned for viruses, then its thumbnail is made. `nextAttemptAt` is when that is
 * due, or when another worker may take over from the one that holds the lease. It is null if nothing is left to do.
 * `tries` counts the attempts so far.
 */
export const RunFile = defineEntity({
  name: 'RunFile',
  tableName: 'files',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    runId: references('runs'),
    entryId: references('entries'),
    runTaskFieldId: p.uuid(),
    status: p.enum(['UPLOADING', 'STORED']),
    storageKey: p.text(),
    fileName: p.text(),
    contentType: p.text(),
    size: p.bigint('number'),
    sha256: p.text().nullable(),
    scanStatus: p.enum(scanStatuses),
    scanSignature: p.text().nullable(),
    scannedAt: p.datetime().nullable(),
    thumbnailStatus: p.enum(['PENDING', 'READY', 'NONE']),
    thumbnailWidth: p.integer().nullable(),
    thumbnailHeight: p.integer().nullable(),
    thumbnailProblem: p.text().nullable(),
    nextAttemptAt: p.datetime().nullable(),
    leaseToken: p.uuid().nullable(),
    tries: p.integer().default(0),
    createdByUserId: references('users'),
    createdAt: p.datetime(),
    expiresAt: p.datetime().nullable(),
  },
  uniques: [{ name: 'files_storage_key_key', properties: ['organizationId', 'storageKey'] }],
  indexes: [
    { name: 'files_run_index', properties: ['organizationId', 'runId'] },
    { name: 'files_entry_index', properties: ['organizationId', 'entryId'] },
    { name: 'files_field_index', properties: ['organizationId', 'runTaskFieldId', 'id'] },
    {
      name: 'files_infected_index',
      properties: ['organizationId', 'scannedAt'],
      where: "scan_status = 'INFECTED'",
    },
    { name: 'files_due_index', properties: ['nextAttemptAt'], where: 'next_attempt_at is not null' },
    { name: 'files_expiry_index', properties: ['expiresAt'], where: 'expires_at is not null' },
  ],
});

/** A row of `files`. */
export type RunFile = InferEntity<typeof RunFile>;
