import { WebhookVerificationError } from './errors.ts';
import { parseEvent, type WebhookEvent } from './events.ts';
import { type HeadersLike, signatureHeaders } from './headers.ts';
import { type RawBody, toBytes } from './raw-body.ts';
import { type SecretOptions, signaturesMatch, signedContent, signingSecrets } from './signature.ts';

/** How far a delivery is trusted. */
export interface VerifyOptions extends SecretOptions {
  /** How old, or how far ahead, the timestamp may be, in seconds. Default 300. */
  toleranceSeconds?: number | undefined;
  /** The current time, as a Date or in epoch milliseconds. Default: the clock. For tests and for replaying stored deliveries. */
  now?: Date | number | undefined;
}

/**
 * Checks that a delivery comes from the service, is fresh and was not changed, and answers its event. While the service rotates its
 * secret, deliveries carry a second signature, and either may match. The body is parsed only after one did.
 *
 * @throws WebhookVerificationError with a `code`; RangeError when `toleranceSeconds` or `now` is no usable number
 */
export async function verify(rawBody: RawBody, headers: HeadersLike, options: VerifyOptions): Promise<WebhookEvent> {
  const { secrets, toleranceMs } = checkOptions(options);
  const now = milliseconds(options.now ?? Date.now());
  const body = toBytes(rawBody);

  const { timestamp, signatures } = signatureHeaders(headers);
  checkTimestamp(timestamp, now, toleranceMs);

  const content = signedContent(timestamp, body);
  if (!(await signaturesMatch(signatures, content, secrets))) throw signatureMismatch();

  return parseEvent(content.subarray(content.byteLength - body.byteLength));
}

/** The checked parts of the options that hold for every delivery: see {@link verify} for what it throws. */
export function checkOptions(options: VerifyOptions): { secrets: string[]; toleranceMs: number } {
  const secrets = signingSecrets(options);
  const { toleranceSeconds = 300 } = options;
  // NaN would make every comparison false, and so accept any age.
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    throw new RangeError('`toleranceSeconds` must be a number of seconds, 0 or more; leave it out for 300.');
  }
  return { secrets, toleranceMs: toleranceSeconds * 1000 };
}

function milliseconds(now: Date | number): number {
  const ms = typeof now === 'number' ? now : now.getTime();
  if (!Number.isFinite(ms)) throw new RangeError('`now` must be a valid Date or a number of epoch milliseconds.');
  return ms;
}

function checkTimestamp(timestamp: string, now: number, toleranceMs: number): void {
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw new WebhookVerificationError(
      'invalid_timestamp',
      'x-flow-timestamp is not an integer of epoch seconds. Pass the header unchanged, and check that it arrives once.',
    );
  }
  const ageMs = now - Number(timestamp) * 1000;
  if (Math.abs(ageMs) <= toleranceMs) return;
  const distance = `${Math.ceil(Math.abs(ageMs) / 1000)} s ${ageMs > 0 ? 'old' : 'ahead'}`;
  throw new WebhookVerificationError(
    'timestamp_outside_tolerance',
    `The delivery is ${distance}, more than the ${toleranceMs / 1000} s allowed. Check this machine's clock; every attempt of the service carries a fresh timestamp.`,
  );
}

function signatureMismatch(): WebhookVerificationError {
  return new WebhookVerificationError(
    'signature_mismatch',
    'No secret made a signature of this delivery. Check that the secret is that of the sending organization (no spaces or line end around it), and that the body is passed byte for byte, not parsed and written again.',
  );
}
