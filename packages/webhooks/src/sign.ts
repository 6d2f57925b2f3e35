import { parseEvent } from './events.ts';
import { type RawBody, toBytes } from './raw-body.ts';
import { computeSignature, signedContent, signingSecrets } from './signature.ts';

/** Options of {@link sign}. */
export interface SignOptions {
  secret: string;
  /** A Date, or epoch seconds as an integer. Default: now. */
  timestamp?: Date | number | undefined;
}

/** The headers of a signed delivery. (A type, not an interface, so that it is assignable to header records.) */
export type SignedHeaders = {
  'content-type': 'application/json';
  'x-flow-timestamp': string;
  'x-flow-signature': string;
  /**
   * Headers of Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`. Only present if the body
   * is an event.
   */
  [standard: `webhook-${string}`]: string;
};

/**
 * Signs a body like the service does, for tools and for tests of a receiver. Send exactly the signed bytes.
 *
 * @throws WebhookVerificationError `missing_secret` or `body_not_raw`; RangeError if the timestamp is not in seconds
 */
export async function sign(rawBody: RawBody, options: SignOptions): Promise<SignedHeaders> {
  const [secret = ''] = signingSecrets({ secret: options.secret });
  const timestamp = epochSeconds(options.timestamp ?? new Date());
  const body = toBytes(rawBody);
  const signature = await computeSignature(signedContent(timestamp, body), secret);
  return {
    'content-type': 'application/json',
    'x-flow-timestamp': timestamp,
    'x-flow-signature': Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join(''),
    ...(await standardHeaders(body, timestamp, secret)),
  };
}

async function standardHeaders(body: Uint8Array, timestamp: string, secret: string) {
  const id = deliveryIdOf(body);
  if (id === null) return {};
  const signature = await computeSignature(signedContent(`${id}.${timestamp}`, body), secret);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  };
}

// Tests also sign bodies that are not events.
function deliveryIdOf(body: Uint8Array): string | null {
  try {
    return parseEvent(body).deliveryId;
  } catch {
    return null;
  }
}

function epochSeconds(time: Date | number): string {
  const seconds = typeof time === 'number' ? time : Math.floor(time.getTime() / 1000);
  // 1e11 seconds is the year 5138, so a larger number is in milliseconds.
  if (Number.isSafeInteger(seconds) && seconds >= 0 && seconds < 1e11) return String(seconds);
  throw new RangeError(
    '`timestamp` must be a valid Date or an integer in epoch seconds; divide milliseconds by 1000 and round down.',
  );
}
