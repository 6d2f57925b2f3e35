import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import type { Actor } from '../access/actor.ts';
import type { Em } from '../db/database.ts';
import { keepAnswer, takeIdempotencyKey } from '../db/queries/idempotency.ts';
import { codeOf } from '../db/transaction.ts';
import { badRequest, tooManyRequests } from '../fault.ts';

const lockNotAvailable = '55P03';

/** The key of a write that is to have its effect once, or undefined. Throws a 400 for one that is too long. */
export function idempotencyKeyOf(ctx: Context): string | undefined {
  const key = ctx.req.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length < 1 || key.length > 255) {
    throw badRequest('Idempotency-Key: must be 1 to 255 characters; send a UUID.');
  }
  return key;
}

/**
 * Does `work` once for a key of a caller. The first answer is kept in the same transaction as what it did; the same request again
 * gets that answer and changes nothing, another request under the key a 400. Refusals are not kept.
 */
export async function once(
  em: Em,
  ctx: Context,
  { actor, key, body }: { actor: Actor; key: string; body: unknown },
  work: () => Promise<unknown>,
): Promise<unknown> {
  const callerId = actor.apiKeyId ?? actor.userId;
  const request = JSON.stringify([ctx.method, ctx.path, ctx.querystring, body ?? null]);
  const requestHash = createHmac('sha256', key).update(request).digest();
  const keyHash = createHash('sha256').update(key).digest('hex');
  const kept = await take(em, { callerId, key: keyHash, requestHash });
  if (!kept) {
    const answer = await work();
    await keepAnswer(em, callerId, keyHash, answer === undefined ? null : seal(JSON.stringify(answer), key));
    return answer;
  }
  if (!requestHash.equals(kept.requestHash)) {
    throw badRequest('Idempotency-Key: was used for another request; send a new one.');
  }
  ctx.set('Idempotency-Replayed', 'true');
  return kept.body === null ? undefined : (JSON.parse(unseal(kept.body, key)) as unknown);
}

const cipher = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/** Answers may hold secrets, such as a new API key. Only who knows the idempotency key can read what is kept; we keep its hash alone. */
function seal(text: string, key: string): string {
  const iv = randomBytes(ivLength);
  const sealing = createCipheriv(cipher, sealingKey(key), iv);
  const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
  return Buffer.concat([iv, sealing.getAuthTag(), sealed]).toString('base64');
}

function unseal(text: string, key: string): string {
  const bytes = Buffer.from(text, 'base64');
  const opening = createDecipheriv(cipher, sealingKey(key), bytes.subarray(0, ivLength));
  opening.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
  return Buffer.concat([opening.update(bytes.subarray(ivLength + tagLength)), opening.final()]).toString('utf8');
}

function sealingKey(key: string): Buffer {
  return createHmac('sha256', 'answer').update(key).digest();
}

async function take(em: Em, claim: Parameters<typeof takeIdempotencyKey>[1]) {
  try {
    return await takeIdempotencyKey(em, claim);
  } catch (error) {
    if (codeOf(error) !== lockNotAvailable) throw error;
    throw tooManyRequests('Idempotency-Key: the first request under it is still under way; repeat it in a moment.', 1);
  }
}
