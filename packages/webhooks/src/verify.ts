import { WebhookVerificationError } from './errors.ts';
import { parseEvent, type WebhookEvent } from './events.ts';
import { type HeadersLike, signatureHeaders } from './headers.ts';
import { type RawBody, toBytes } from './raw-body.ts';
import { type SecretOptions, signaturesMatch, signedContent, signingSecrets } from './signature.ts';

/** Options of {@link verify}. */
export interface VerifyOptions extends SecretOptions {
  /** Maximum difference between the timestamp and now, in seconds. Default 300. */
  toleranceSeconds?: number | undefined;
  /** The current time, as a Date or in epoch milliseconds. For tests and for stored deliveries. */
  now?: Date | number | undefined;
}

/**
 * Verifies that a delivery is authentic, recent and unchanged, and returns its event. During a rotation of the secret,
 * a delivery has two signatures, and either may match. The body is parsed only after a signature matched.
 *
 * @throws WebhookVerificationError with a `code`; RangeError if `toleranceSeconds` or `now` is invalid
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

/** Checks the options that apply to every delivery. Throws like {@link verify}. */
export function checkOptions(options: VerifyOptions): { secrets: string[]; toleranceMs: number } {
  const secrets = signingSecrets(options);
  const { toleranceSeconds = 300 } = options;
  // Every comparison with NaN is false, so any age would be accepted.
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    throw new RangeError('`toleranceSeconds` must be a number of seconds, 0 or more; omit it for 300.');
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
      'x-flow-timestamp is not an integer in epoch seconds. Pass the header unchanged, and check that it is not repeated.',
    );
  }
  const ageMs = now - Number(timestamp) * 1000;
  if (Math.abs(ageMs) <= toleranceMs) return;
  const seconds = Math.ceil(Math.abs(ageMs) / 1000);
  const distance = `${seconds < 172_800 ? `${seconds} s` : `${Math.floor(seconds / 86_400)} days`} ${ageMs > 0 ? 'old' : 'ahead'}`;
  throw new WebhookVerificationError(
    'timestamp_outside_tolerance',
    `The timestamp is ${distance}, more than the ${toleranceMs / 1000} s allowed. Check the clock of this machine. Every attempt of the service has a new timestamp.`,
  );
}

function signatureMismatch(): WebhookVerificationError {
  return new WebhookVerificationError(
    'signature_mismatch',
    'No signature matches the body. Check that the secret is that of the sending organization, without surrounding white space, and that the body is passed unchanged, not parsed and serialized again.',
  );
}
