import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';

/** A signed content that has not expired. */
export interface SignedContent<Content> {
  readonly content: Content;
  readonly expiresAt: Date;
}

const keyBytes = 32;

/** A text safe in URLs that holds JSON content, an expiry and an HMAC-SHA256 over both. */
export function signToken(key: Buffer, content: unknown, expiresAt: Date): string {
  const payload = Buffer.from(JSON.stringify([expiresAt.getTime(), content])).toString('base64url');
  return `${payload}.${hmac(key, payload).toString('base64url')}`;
}

/** The content of a token; null if it was not signed with this key, was altered, or has expired. */
export function verifyToken<Content>(key: Buffer, token: string, now: Date): SignedContent<Content> | null {
  const [payload = '', signature = '', ...rest] = token.split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = hmac(key, payload);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const [expiresAt, content] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, Content];
  return expiresAt > now.getTime() ? { content, expiresAt: new Date(expiresAt) } : null;
}

/** The key in a file, mode 0600; made if there is none. Processes that start together take the same one. */
export async function openSigningKey(path: string): Promise<Buffer> {
  const made = `${path}.${process.pid}`;
  await writeFile(made, randomBytes(keyBytes), { mode: 0o600, flush: true });
  try {
    await link(made, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(made, { force: true });
  }
  const key = await readFile(path);
  if (key.length !== keyBytes)
    throw new Error(`${path} must hold ${keyBytes} bytes; remove it, and a new key is made.`);
  return key;
}

function hmac(key: Buffer, payload: string): Buffer {
  return createHmac('sha256', key).update(payload).digest();
}
