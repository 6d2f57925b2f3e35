import { WebhookVerificationError } from './errors.ts';

/** The value of a header in any framework. */
export type HeaderValue = string | readonly string[] | undefined;

/** Request headers, names in any case: a fetch `Headers`, a Map, a plain record, or an object with `get(name)`. */
export type HeadersLike =
  | Iterable<readonly [string, HeaderValue]>
  | { get(name: string): string | null | undefined }
  | { readonly [name: string]: HeaderValue };

/** The signature headers of a delivery. */
export interface SignatureHeaders {
  readonly timestamp: string;
  /**
   * Signatures with the names of their headers: `x-flow-signature`, and `x-flow-signature-previous` during a rotation
   * of the secret.
   */
  readonly signatures: readonly (readonly [name: string, signature: string])[];
}

/**
 * Reads the signature headers of a delivery.
 *
 * @throws WebhookVerificationError `missing_header` naming the missing headers
 */
export function signatureHeaders(headers: HeadersLike): SignatureHeaders {
  const timestamp = header(headers, 'x-flow-timestamp');
  const signature = header(headers, 'x-flow-signature');
  const previous = header(headers, 'x-flow-signature-previous');
  if (timestamp !== '' && signature !== '') {
    const signatures = { 'x-flow-signature': signature, 'x-flow-signature-previous': previous };
    return { timestamp, signatures: Object.entries(signatures).filter(([, value]) => value !== '') };
  }
  const missing = [timestamp === '' && 'x-flow-timestamp', signature === '' && 'x-flow-signature'].filter(Boolean);
  throw new WebhookVerificationError(
    'missing_header',
    `Missing header: ${missing.join(', ')}. Pass the headers of the incoming request, and check that no proxy removes them.`,
  );
}

// Joins a repeated header like fetch does. The result is neither an integer nor a signature, so it is rejected.
function header(headers: HeadersLike, name: string): string {
  return entries(headers, name)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
    .join(', ');
}

function entries(headers: HeadersLike, name: string): (readonly [string, HeaderValue])[] {
  if (typeof headers !== 'object' || headers === null) return [];
  if (Symbol.iterator in headers) return [...headers];
  if (isGetter(headers)) return [[name, headers.get(name) ?? undefined]];
  return Object.entries(headers);
}

function isGetter(headers: object): headers is { get(name: string): string | null | undefined } {
  return 'get' in headers && typeof headers.get === 'function';
}
