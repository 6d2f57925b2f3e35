import { randomUUID } from 'node:crypto';
import { selectList } from '../../database/columns.ts';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { restingOrganizations } from '../../organization/moves/resting.ts';
import { RunFile } from '../entities/run-file.ts';

const properties = [
  'organizationId',
  'id',
  'runId',
  'entryId',
  'runTaskFieldId',
  'status',
  'storageKey',
  'contentType',
  'scanStatus',
  'thumbnailStatus',
  'leaseToken',
  'tries',
] as const;

/** A file that only this worker may examine until its lease expires. */
export type ClaimedFile = Pick<RunFile, Exclude<(typeof properties)[number], 'leaseToken'>> & {
  readonly leaseToken: string;
  /** In bytes. */
  readonly size: number;
};

/** After this many tries, the thumbnail of a file is given up, because it may be what ends the process each time. */
export const maximumTries = 5;

const claim = statement<ClaimedFile>(`
  with due_file as (
    select organization_id, id from files
    where next_attempt_at <= now() and organization_id <> all ($3::uuid[]) and organization_id not in ${restingOrganizations}
    order by next_attempt_at limit 1 for update skip locked
  )
  update files file
  set lease_token = $2, tries = tries + 1, next_attempt_at = now() + make_interval(secs => $1)
  from due_file where file.organization_id = due_file.organization_id and file.id = due_file.id
  returning ${selectList(RunFile, 'file', properties)}, file.size::float8 as size`);

const renew = statement<{ id: string }>(`
  update files set next_attempt_at = now() + make_interval(secs => $4)
  where organization_id = $1 and id = $2 and lease_token = $3 returning id`);

// A worker that postpones has survived the try, so another one is left.
const postpone = statement<{ id: string }>(`
  update files set next_attempt_at = now() + make_interval(secs => $4), lease_token = null,
    tries = case when scan_status = 'PENDING' then tries else least(tries, ${maximumTries - 1}) end
  where organization_id = $1 and id = $2 and lease_token = $3 returning id`);

const waiting = statement<{ count: number }>(`
  select count(*)::int as count from files
  where next_attempt_at <= now() and scan_status = 'PENDING' and organization_id not in ${restingOrganizations}`);

/** The number of files of all organizations that wait for a virus scan. */
export async function countWaitingScans(em: Em): Promise<number> {
  return (await waiting(em))[0]?.count ?? 0;
}

/**
 * Claims the file that is due the longest by the database's clock, of any organization but these. Null if no file is
 * due.
 */
export async function claimFile(
  em: Em,
  leaseSeconds: number,
  exceptOf: readonly string[],
): Promise<ClaimedFile | null> {
  return (await claim(em, leaseSeconds, randomUUID(), exceptOf))[0] ?? null;
}

/** Extends a lease. Returns false if another worker has taken over, or if the file was deleted. */
export async function renewLease(em: Em, file: ClaimedFile, leaseSeconds: number): Promise<boolean> {
  return (await renew(em, file.organizationId, file.id, file.leaseToken, leaseSeconds)).length > 0;
}

/** Ends a lease; the file is due again after a delay. */
export async function postponeFile(em: Em, file: ClaimedFile, delaySeconds: number): Promise<void> {
  await postpone(em, file.organizationId, file.id, file.leaseToken, delaySeconds);
}
