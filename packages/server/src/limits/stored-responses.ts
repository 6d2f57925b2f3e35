import { sql } from 'kysely';
import type { Em } from '../database/database.ts';

/** How long an answer is kept. */
const kept = sql`interval '24 hours'`;

/** A request that was made before under the same key. */
export interface KeptAnswer {
  readonly requestHash: Buffer;
  readonly body: string | null;
}

/**
 * Takes a key for this transaction, or answers what was kept under it. While another transaction holds the key this waits for its
 * end: what it did is then replayed, or, if it failed, done here.
 */
export async function takeIdempotencyKey(
  em: Em,
  { callerId, key, requestHash }: { callerId: string; key: string; requestHash: Buffer },
): Promise<KeptAnswer | null> {
  const db = em.getKysely();
  await sql`
    delete from idempotency_keys where caller_id = ${callerId} and key = ${key} and created_at < now() - ${kept}
  `.execute(db);
  const { rows } = await sql`
    insert into idempotency_keys (caller_id, key, request_hash, created_at)
    values (${callerId}, ${key}, ${requestHash}, now()) on conflict do nothing returning key
  `.execute(db);
  if (rows.length > 0) return null;
  const known = await sql<KeptAnswer>`
    select request_hash as "requestHash", body from idempotency_keys where caller_id = ${callerId} and key = ${key}
  `.execute(db);
  return known.rows[0] ?? null;
}

/** Keeps the answer under the key that this transaction took. */
export async function keepAnswer(em: Em, callerId: string, key: string, body: string | null): Promise<void> {
  await sql`
    update idempotency_keys set body = ${body} where caller_id = ${callerId} and key = ${key}
  `.execute(em.getKysely());
}

/** Forgets answers that were kept long enough. */
export async function forgetOldAnswers(em: Em): Promise<void> {
  await sql`delete from idempotency_keys where created_at < now() - ${kept}`.execute(em.getKysely());
}
