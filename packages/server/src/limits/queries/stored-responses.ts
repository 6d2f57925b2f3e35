import { expressionBuilder, sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { databaseNow } from '../../database/expressions.ts';
import { purge } from '../../database/purge.ts';
import type { Tables } from '../../database/tables.ts';
import type { IdempotencyKey } from '../../organization/entities/idempotency-key.ts';

/** How long responses are stored. */
const retention = `interval '24 hours'`;
/** An idempotency key of a caller; `key` is a hash. */
export type CallerKey = Readonly<Pick<IdempotencyKey, 'organizationId' | 'callerId' | 'key'>>;

/** The response of an earlier request with the same key. */
export interface StoredResponse {
  readonly requestHash: Buffer;
  /** Null if the response had no body. */
  readonly body: string | null;
}

/**
 * Claims a key for this transaction, even if its stored response is due to be purged, or returns the response that is
 * stored under it. While another transaction holds the key, waits for its end. If that transaction commits, returns its
 * response; if it rolls back, claims the key.
 */
export async function claimIdempotencyKey(
  em: Em,
  claim: CallerKey & { requestHash: Buffer },
): Promise<StoredResponse | null> {
  const db = em.getKysely();
  const { organizationId, callerId, key, requestHash } = claim;
  const { numInsertedOrUpdatedRows: claimed } = await db
    .insertInto('idempotency_keys')
    .values({
      organization_id: organizationId,
      caller_id: callerId,
      key,
      request_hash: requestHash,
      created_at: databaseNow,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'caller_id', 'key'])
        .doUpdateSet((eb) => ({ request_hash: requestHash, created_at: eb.ref('excluded.created_at'), body: null }))
        .where(sql<boolean>`excluded.created_at - idempotency_keys.created_at > ${sql.raw(retention)}`),
    )
    .executeTakeFirst();
  if (claimed) return null;
  const stored = await db
    .selectFrom('idempotency_keys')
    .where(is(claim))
    .select(['request_hash as requestHash', 'body'])
    .executeTakeFirst();
  return stored ?? null;
}

/** Stores the response under the key that this transaction claimed. */
export async function storeResponse(em: Em, key: CallerKey, body: string | null): Promise<void> {
  await em.getKysely().updateTable('idempotency_keys').set({ body }).where(is(key)).execute();
}

/** Deletes the responses of all organizations that are older than 24 hours. */
export const purgeStoredResponses = purge('idempotency_keys', `created_at < now() - ${retention}`, 1_000);

function is({ organizationId, callerId, key }: CallerKey) {
  const eb = expressionBuilder<Tables, 'idempotency_keys'>();
  return eb.and({ organization_id: organizationId, caller_id: callerId, key });
}
