import { WebhookVerificationError } from './errors.ts';

/** One header's value as the frameworks give it. */
export type HeaderValue = string | readonly string[] | undefined;

/** Request headers in any usual form, names in any case: a fetch `Headers`, a Map, a plain record, or just `get(name)`. */
export type HeadersLike =
  | Iterable<readonly [string, HeaderValue]>
  | { get(name: string): string | null | undefined }
  | { readonly [name: string]: HeaderValue };

/** What the headers of a delivery say. */
export interface SignatureHeaders {
  readonly timestamp: string;
  /** By header name: `x-flow-signature`, and during a rotation of the secret `x-flow-signature-previous`. */
  readonly signatures: readonly (readonly [name: string, signature: string])[];
}

/**
 * The headers of a delivery.
 *
 * @throws WebhookVerificationError `missing_header` naming the absent ones
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
    `The request has no ${missing.join(' and no ')} header. Pass the headers of the incoming request, and check that no proxy drops them.`,
  );
}

// A header given twice is joined as fetch does; the result is then no integer or no signature, and is refused as such.
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
