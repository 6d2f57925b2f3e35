import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from 'node:crypto';
import { badRequest, tooManyRequests } from '../api-error.ts';
import type { Em } from '../database/database.ts';
import { isLockTimeout } from '../database/errors.ts';
import { claimIdempotencyKey, storeResponse } from './queries/stored-responses.ts';

/** The value of the header `Idempotency-Key`, or undefined without one. Throws a 400 if it is empty or too long. */
export function checkIdempotencyKey(key: string | string[] | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length < 1 || key.length > 255) {
    throw badRequest('validation_failed', 'Idempotency-Key: must be 1 to 255 characters; send a UUID.');
  }
  return key;
}

/** A request that takes effect once. */
export interface Claim {
  readonly organizationId: string;
  readonly callerId: string;
  readonly key: string;
  /** Method, URL and body, which are equal if the same request is repeated. */
  readonly identity: unknown;
}

/**
 * Runs `work` once per caller and key. The response is stored in the same transaction as its effect; a repetition gets
 * the stored response and changes nothing. Throws a 400 if the key was used for a different request, and a 429 while
 * the first request with the key is in progress. Errors are not stored.
 */
export async function once(em: Em, claim: Claim, work: () => Promise<unknown>, replayed: () => void): Promise<unknown> {
  const { organizationId, callerId, key, identity } = claim;
  const requestHash = createHmac('sha256', key).update(JSON.stringify(identity)).digest();
  const stored = await claimKey(em, { organizationId, callerId, key: hashOf(key), requestHash });
  if (!stored) {
    const response = await work();
    await store(em, claim, response);
    return response;
  }
  if (!requestHash.equals(stored.requestHash)) {
    throw badRequest('idempotency_key_reused', 'Idempotency-Key: already used for a different request; use a new key.');
  }
  replayed();
  return stored.body === null ? undefined : (JSON.parse(decrypt(stored.body, key)) as unknown);
}

/** Stores a response under a key that was claimed, instead of the one that is stored. */
export async function store(em: Em, { organizationId, callerId, key }: Claim, response: unknown): Promise<void> {
  const body = response === undefined ? null : encrypt(JSON.stringify(response), key);
  await storeResponse(em, { organizationId, callerId, key: hashOf(key) }, body);
}

const hashOf = (key: string) => hash('sha256', key);

const cipher = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/**
 * Responses may contain secrets, such as a new API key, so they are encrypted with the idempotency key. The key is
 * stored only as a hash.
 */
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
  return createHmac('sha256', 'response').update(key).digest();
}

async function claimKey(em: Em, claim: Parameters<typeof claimIdempotencyKey>[1]) {
  try {
    return await claimIdempotencyKey(em, claim);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw tooManyRequests(
      'request_in_progress',
      'Idempotency-Key: the first request with this key is still in progress; retry in a moment.',
      1,
    );
  }
}
