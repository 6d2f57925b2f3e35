import { WebhookVerificationError } from './errors.ts';
import type { SignatureHeaders } from './headers.ts';
import { concat } from './raw-body.ts';

/** The signing secret: one `secret`, or `secrets` during a rotation. */
export interface SecretOptions {
  /** The signing secret of the organization, from `GET /organization/signing-secret`. */
  secret?: string | undefined;
  /** Several secrets, for example the new and the old one during a rotation. Any of them may have signed. */
  secrets?: readonly string[] | undefined;
}

const hmac = { name: 'HMAC', hash: 'SHA-256' };
const encoder = new TextEncoder();

/**
 * All secrets of the options, at least one.
 *
 * @throws WebhookVerificationError `missing_secret`
 */
export function signingSecrets({ secret, secrets }: SecretOptions): string[] {
  // Spreading a string would give secrets of one character each, which are easy to guess.
  if (secrets !== undefined && !Array.isArray(secrets)) throw missingSecret('`secrets` is not an array');
  const all: unknown[] = [...(secret === undefined ? [] : [secret]), ...(secrets ?? [])];
  if (all.length === 0) throw missingSecret('neither `secret` nor `secrets` is set');
  return all.map((one) => {
    if (typeof one !== 'string' || one === '') throw missingSecret('a secret is empty or not a string');
    return one;
  });
}

/**
 * The signed bytes: a prefix (the timestamp header), a dot and the body. They are a copy, so that they cannot change
 * between check and use.
 */
export function signedContent(prefix: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  return concat([encoder.encode(`${prefix}.`), body]);
}

/** The HMAC-SHA256 of the content. */
export async function computeSignature(content: Uint8Array<ArrayBuffer>, secret: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign(hmac, await importKey(secret), content));
}

/**
 * Whether any secret matches any signature. Compares in constant time and always tries every combination.
 *
 * @throws WebhookVerificationError `invalid_signature_format` unless each signature is 64 lowercase hex digits
 */
export async function signaturesMatch(
  signatures: SignatureHeaders['signatures'],
  content: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<boolean> {
  const all = signatures.map(([name, signature]) => signatureBytes(name, signature));
  const results = await Promise.all(
    secrets.flatMap((secret) =>
      all.map(async (bytes) => crypto.subtle.verify(hmac, await importKey(secret), bytes, content)),
    ),
  );
  return results.includes(true);
}

function signatureBytes(name: string, signature: string): Uint8Array<ArrayBuffer> {
  if (!/^[0-9a-f]{64}$/.test(signature)) {
    throw new WebhookVerificationError(
      'invalid_signature_format',
      `${name} is not 64 lowercase hex digits. Pass the header unchanged, and check that it is not repeated.`,
    );
  }
  return Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(signature.slice(2 * i, 2 * i + 2), 16));
}

function importKey(secret: string) {
  return crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['sign', 'verify']);
}

function missingSecret(reason: string): WebhookVerificationError {
  const remedy = 'Pass the signing secret of the organization; see GET /organization/signing-secret.';
  return new WebhookVerificationError('missing_secret', `The signing secret is missing: ${reason}. ${remedy}`);
}
