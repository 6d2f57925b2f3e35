import { effectOf, type Endpoint } from '@runward/contract';
import { badRequest } from '../api-error.ts';

/** The entity tag of a representation with a `version`. */
export function tagOf(representation: unknown): string {
  return `"${(representation as { readonly version: string }).version}"`;
}

/**
 * Whether a header `If-None-Match` names the tag, weak or strong, or any tag. Koa's check skips requests with
 * `Cache-Control: no-cache`, which fetch adds to every conditional request.
 */
export function matchesAny(header: string, tag: string): boolean {
  return header.trim() === '*' || [...header.matchAll(/"[^"]*"/g)].some(([named]) => named === tag);
}

/** Whether a write checks the header `If-Match`. A creation has no earlier version. */
export function acceptsIfMatch(endpoint: Pick<Endpoint, 'versioned' | 'method' | 'effect' | 'status'>): boolean {
  return endpoint.versioned === true && effectOf(endpoint) === 'write' && endpoint.status !== 201;
}

/**
 * The version in the header `If-Match`. Null for any version: without the header, for `*`, and for a read. Throws a 400
 * unless the header is one strong tag and the endpoint checks it, because an unchecked condition would not protect the
 * caller.
 */
export function readIfMatch(header: string | undefined, endpoint: Endpoint): string | null {
  if (header === undefined || effectOf(endpoint) === 'read') return null;
  if (!acceptsIfMatch(endpoint))
    throw badRequest('validation_failed', 'If-Match: this endpoint does not check versions; remove the header.');
  if (header === '*') return null;
  const version = /^"([\x21\x23-\x7e]+)"$/.exec(header)?.[1];
  if (version === undefined) {
    throw badRequest(
      'validation_failed',
      'If-Match: must be one ETag of an earlier response, like "12", or *; weak tags are rejected.',
    );
  }
  return version;
}
