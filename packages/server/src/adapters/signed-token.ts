import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';

/** The content of a valid token. */
export interface SignedContent<Content> {
  readonly content: Content;
  readonly expiresAt: Date;
}

const keyBytes = 32;

/** Creates a URL-safe token with JSON content, an expiry, and an HMAC-SHA256 of both. */
export function signToken(key: Buffer, content: unknown, expiresAt: Date): string {
  const payload = Buffer.from(JSON.stringify([expiresAt.getTime(), content])).toString('base64url');
  return `${payload}.${hmac(key, payload).toString('base64url')}`;
}

/** Reads a token. Null if it was not signed with this key, was altered, or has expired. */
export function verifyToken<Content>(key: Buffer, token: string, now: Date): SignedContent<Content> | null {
  const [payload = '', signature = '', ...rest] = token.split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = hmac(key, payload);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const [expiresAt, content] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, Content];
  return expiresAt > now.getTime() ? { content, expiresAt: new Date(expiresAt) } : null;
}

/** Reads the key in a file with mode 0600, or creates it. Processes that start together get the same key. */
export async function openSigningKey(path: string): Promise<Buffer> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, randomBytes(keyBytes), { mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readFile(path);
  if (key.length !== keyBytes)
    throw new Error(`${path} must contain ${keyBytes} bytes; remove it to create a new key.`);
  return key;
}

function hmac(key: Buffer, payload: string): Buffer {
  return createHmac('sha256', key).update(payload).digest();
}
