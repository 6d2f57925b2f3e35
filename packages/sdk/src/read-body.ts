import type { Stream } from '@runward/contract';
import { toDownload } from './download.ts';
import { ConnectionError } from './errors.ts';
import type { Incoming } from './transport.ts';

/** What a 2xx response becomes: parsed JSON, `undefined`, a download, or (`any`) what its content type says. */
export type Returns = 'json' | 'nothing' | 'any' | Stream;

/** The Accept header of a request. */
export function acceptOf(returns: Returns): string {
  const types = typeof returns === 'object' ? returns.contentTypes : [];
  return [...types, 'application/json'].join(', ');
}

/** Whether the body of a response is handed out as it arrives. Errors never are. */
export function isStreamed(returns: Returns, { ok, headers }: Response): boolean {
  const type = mediaType(headers);
  if (!ok) return false;
  if (returns === 'any') return type !== '' && !isJson(type) && !isText(type);
  // A page instead of a file comes from another server than the API.
  return typeof returns === 'object' && (type !== 'text/html' || returns.contentTypes.includes(type));
}

/**
 * The data of a 2xx response.
 *
 * @throws ConnectionError if it is not what the endpoint returns
 */
export function readBody(returns: Returns, { response, body }: Incoming): unknown {
  if (typeof body !== 'string') return toDownload(response, body);
  const type = mediaType(response.headers);
  if (returns === 'nothing' || (returns === 'any' && body === '')) return undefined;
  if (returns === 'any' && !isJson(type)) return body;
  if (typeof returns === 'object') throw unexpected(returns.contentTypes.join(' or '), type);
  try {
    return JSON.parse(body);
  } catch (cause) {
    if (!isJson(type)) throw unexpected('JSON', type, cause);
    throw new ConnectionError(
      'The response is not valid JSON (truncated): the server or a proxy ended it early. Retry.',
      {
        cause,
      },
    );
  }
}

function unexpected(expected: string, type: string, cause?: unknown): ConnectionError {
  return new ConnectionError(
    `The response is not ${expected} but ${type || 'of an unknown type'}. Check that baseUrl points to the API.`,
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
