import { createHmac, randomBytes } from 'node:crypto';

/** What an organization's deliveries are signed with; the previous secret only while a rotation lasts. */
export interface SigningSecrets {
  readonly secret: string;
  readonly previousSecret: string | null;
}

/** A new signing secret: 32 random bytes. */
export function newSigningSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The headers by which a receiver knows that a body is ours and fresh (spec: Events, Delivery); made anew for every attempt. During a
 * rotation a second signature serves receivers that know the previous secret only.
 */
export function signatureHeaders(
  body: string,
  { secret, previousSecret }: SigningSecrets,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatureBy = (key: string) => createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  return {
    'x-flow-timestamp': timestamp,
    'x-flow-signature': signatureBy(secret),
    ...(previousSecret !== null && { 'x-flow-signature-previous': signatureBy(previousSecret) }),
  };
}
