import { describeBody, toDownload } from '../download.ts';
import { ConnectionError } from '../errors/errors.ts';
import type { Incoming } from './transport.ts';

/**
 * How to read a 2xx response: as JSON, as `undefined`, as a download of one of these types, or (`any`) by its content
 * type.
 */
export type Returns = 'json' | 'nothing' | 'any' | readonly string[];

/** The Accept header of a request. */
export function acceptOf(returns: Returns): string {
  const types = typeof returns === 'object' ? returns : [];
  return [...types, 'application/json'].join(', ');
}

/** Whether the response body is streamed to the caller. Error bodies never are. */
export function isStreamed(returns: Returns, { ok, headers }: Response): boolean {
  const type = mediaType(headers);
  if (!ok) return false;
  if (returns === 'any') return type !== '' && !isJson(type) && !isText(type);
  // An unexpected HTML page does not come from the API.
  return typeof returns === 'object' && (type !== 'text/html' || returns.includes(type));
}

/**
 * The data of a 2xx response. `what` names the request in errors, like `GET /runs`.
 *
 * @throws ConnectionError if the response does not match the endpoint
 */
export function readBody(returns: Returns, { response, body }: Incoming, what: string): unknown {
  if (typeof body !== 'string') return toDownload(describeBody(response), body);
  const type = mediaType(response.headers);
  if (returns === 'nothing' || (returns === 'any' && body === '')) return undefined;
  if (returns === 'any' && !isJson(type)) return body;
  if (typeof returns === 'object') throw unexpected(what, returns.join(' or '), type);
  try {
    return JSON.parse(body);
  } catch (cause) {
    if (!isJson(type)) throw unexpected(what, 'JSON', type, cause);
    throw new ConnectionError(
      `${what}: the response is not valid JSON (truncated). Retry; if it recurs, check proxies between here and the server.`,
      { cause },
    );
  }
}

function unexpected(what: string, expected: string, type: string, cause?: unknown): ConnectionError {
  return new ConnectionError(
    `${what}: the response is not ${expected} but ${type || 'of an unknown type'}. Check that baseUrl points to the API.`,
    { cause },
  );
}

function mediaType(headers: Headers): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

function isJson(type: string): boolean {
  return /[/+]json$/.test(type);
}

function isText(type: string): boolean {
  return /^text\/|[/+]xml$/.test(type);
}
