import { createHmac } from 'node:crypto';

/** What an organization's deliveries are signed with; the previous secret only while a rotation lasts. */
export interface SigningSecrets {
  readonly secret: string;
  readonly previousSecret: string | null;
}

/**
 * The headers by which a receiver knows that a body is ours and fresh, made anew for every attempt: ours (spec: Events, Delivery) and
 * those of Standard Webhooks, with the same secrets. During a rotation the previous secret signs too.
 */
export function signatureHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  { secret, previousSecret }: SigningSecrets,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const [signature = '', previous] = secrets.map((key) => hmac(key, `${timestamp}.${body}`).toString('hex'));
  return {
    'x-flow-timestamp': timestamp,
    'x-flow-signature': signature,
    ...(previous !== undefined && { 'x-flow-signature-previous': previous }),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((key) => `v1,${hmac(key, `${id}.${timestamp}.${body}`).toString('base64')}`)
      .join(' '),
  };
}

function hmac(key: string, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest();
}
