import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { Em } from '../database/database.ts';
import { keepAnswer, takeIdempotencyKey } from './stored-responses.ts';
import { codeOf } from '../database/transaction.ts';
import { badRequest, tooManyRequests } from '../api-error.ts';

const lockNotAvailable = '55P03';

/** The value of the header `Idempotency-Key`, or undefined without one. Throws a 400 for an empty or too long one. */
export function checkIdempotencyKey(key: string | string[] | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length < 1 || key.length > 255) {
    throw badRequest('Idempotency-Key: must be 1 to 255 characters; send a UUID.');
  }
  return key;
}

/** A request that is to take effect once. */
export interface Claim {
  readonly callerId: string;
  readonly key: string;
  /** What makes two requests the same. */
  readonly identity: unknown;
}

/**
 * Runs `work` once for a key of a caller. The first response is stored in the same transaction as its effect; the same request again
 * gets that response and changes nothing, another request under the key a 400. Errors are not stored.
 */
export async function once(
  em: Em,
  { callerId, key, identity }: Claim,
  work: () => Promise<unknown>,
  replayed: () => void,
): Promise<unknown> {
  const requestHash = createHmac('sha256', key).update(JSON.stringify(identity)).digest();
  const keyHash = createHash('sha256').update(key).digest('hex');
  const stored = await take(em, { callerId, key: keyHash, requestHash });
  if (!stored) {
    const response = await work();
    await keepAnswer(em, callerId, keyHash, response === undefined ? null : encrypt(JSON.stringify(response), key));
    return response;
  }
  if (!requestHash.equals(stored.requestHash)) {
    throw badRequest('Idempotency-Key: already used for a different request; use a new key.');
  }
  replayed();
  return stored.body === null ? undefined : (JSON.parse(decrypt(stored.body, key)) as unknown);
}

const cipher = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/** Responses may hold secrets, such as a new API key. They can be read only with the idempotency key, of which we store the hash. */
function encrypt(text: string, key: string): string {
  const iv = randomBytes(ivLength);
  const encryption = createCipheriv(cipher, encryptionKey(key), iv);
  const encrypted = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()]);
  return Buffer.concat([iv, encryption.getAuthTag(), encrypted]).toString('base64');
}

function decrypt(text: string, key: string): string {
  const bytes = Buffer.from(text, 'base64');
  const decryption = createDecipheriv(cipher, encryptionKey(key), bytes.subarray(0, ivLength));
  decryption.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
  return Buffer.concat([decryption.update(bytes.subarray(ivLength + tagLength)), decryption.final()]).toString('utf8');
}

function encryptionKey(key: string): Buffer {
  return createHmac('sha256', 'answer').update(key).digest();
}

async function take(em: Em, claim: Parameters<typeof takeIdempotencyKey>[1]) {
  try {
    return await takeIdempotencyKey(em, claim);
  } catch (error) {
    if (codeOf(error) !== lockNotAvailable) throw error;
    throw tooManyRequests(
      'Idempotency-Key: the first request with this key is still in progress; retry in a moment.',
      1,
    );
  }
}
