import { sql } from 'kysely';
import type { Em } from '../database/database.ts';

const retention = sql`interval '24 hours'`;

/** An idempotency key of a caller; `key` is a hash. */
export interface CallerKey {
  readonly organizationId: string;
  readonly callerId: string;
  readonly key: string;
}

/** The response of an earlier request with the same key. */
export interface StoredResponse {
  readonly requestHash: Buffer;
  /** Null if the response had no body. */
  readonly body: string | null;
}

/**
 * Claims a key for this transaction, or returns the response that is stored under it. While another transaction holds the key, waits for
 * its end: if that commits, its response is returned; if it rolls back, the key is claimed here.
 */
export async function claimIdempotencyKey(
  em: Em,
  claim: CallerKey & { requestHash: Buffer },
): Promise<StoredResponse | null> {
  const db = em.getKysely();
  const { organizationId, callerId, key, requestHash } = claim;
  await sql`delete from idempotency_keys where ${is(claim)} and created_at < now() - ${retention}`.execute(db);
  const { rows } = await sql`
    insert into idempotency_keys (organization_id, caller_id, key, request_hash, created_at)
    values (${organizationId}, ${callerId}, ${key}, ${requestHash}, now()) on conflict do nothing returning key
  `.execute(db);
  if (rows.length > 0) return null;
  const stored = await sql<StoredResponse>`
    select request_hash as "requestHash", body from idempotency_keys where ${is(claim)}
  `.execute(db);
  return stored.rows[0] ?? null;
}

/** Stores the response under the key that this transaction claimed. */
export async function storeResponse(em: Em, key: CallerKey, body: string | null): Promise<void> {
  await sql`update idempotency_keys set body = ${body} where ${is(key)}`.execute(em.getKysely());
}

/** Deletes responses older than 24 hours. */
export async function purgeStoredResponses(em: Em): Promise<void> {
  await sql`delete from idempotency_keys where created_at < now() - ${retention}`.execute(em.getKysely());
}

function is({ organizationId, callerId, key }: CallerKey) {
  return sql`organization_id = ${organizationId} and caller_id = ${callerId} and key = ${key}`;
}
