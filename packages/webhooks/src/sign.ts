import { type RawBody, toBytes } from './raw-body.ts';
import { computeSignature, signedContent, signingSecrets } from './signature.ts';

/** How to sign. */
export interface SignOptions {
  secret: string;
  /** A Date, or an integer in epoch seconds as in the header. Default: now. */
  timestamp?: Date | number | undefined;
}

/** The headers of a signed delivery. (A type, so that it is assignable to header records; an interface is not.) */
export type SignedHeaders = {
  'content-type': 'application/json';
  'x-flow-timestamp': string;
  'x-flow-signature': string;
};

/**
 * Signs a body as the service does: for tests of your receiver, and for tools. Send exactly the bytes that were signed.
 *
 * @throws WebhookVerificationError `missing_secret` or `body_not_raw`; RangeError when the timestamp is no time in seconds
 */
export async function sign(rawBody: RawBody, options: SignOptions): Promise<SignedHeaders> {
  const [secret = ''] = signingSecrets({ secret: options.secret });
  const timestamp = epochSeconds(options.timestamp ?? new Date());
  const signature = await computeSignature(signedContent(timestamp, toBytes(rawBody)), secret);
  return { 'content-type': 'application/json', 'x-flow-timestamp': timestamp, 'x-flow-signature': signature };
}

function epochSeconds(time: Date | number): string {
  const seconds = typeof time === 'number' ? time : Math.floor(time.getTime() / 1000);
  // 1e11 seconds is the year 5138: such a number was surely meant in milliseconds.
  if (Number.isSafeInteger(seconds) && seconds >= 0 && seconds < 1e11) return String(seconds);
  throw new RangeError(
    '`timestamp` must be a valid Date or an integer in epoch seconds: divide milliseconds by 1000 and round down.',
  );
}
