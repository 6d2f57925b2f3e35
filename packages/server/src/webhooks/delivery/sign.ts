import { createHmac } from 'node:crypto';

/** The secrets that sign the deliveries of a webhook: its own, or those of its organization. */
export interface SigningSecrets {
  readonly secret: string;
  /** Null unless a secret rotation is in progress. */
  readonly previousSecret: string | null;
}

/**
 * The headers with which a receiver verifies the sender and the age of a body, computed for each attempt. They are
 * those of the specification (Events, Delivery) and of Standard Webhooks, with the same secrets. During a rotation, the
 * previous secret also signs.
 */
export function signatureHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  { secret, previousSecret }: SigningSecrets,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const [signature = '', previous] = secrets.map((key) => hmac(key, `${timestamp}.${body}`, 'hex'));
  return {
    'x-flow-timestamp': timestamp,
    'x-flow-signature': signature,
    ...(previous !== undefined && { 'x-flow-signature-previous': previous }),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((key) => `v1,${hmac(key, `${id}.${timestamp}.${body}`, 'base64')}`).join(' '),
  };
}

function hmac(key: string, content: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(content).digest(encoding);
}
