import { parse } from '@hapi/bourne';
import { exactNumber, type Endpoint } from '@runward/contract';
import type { Context } from 'koa';
import { ApiError, badRequest } from '../../api-error.ts';
import { contentReader } from './read-content.ts';

/** The maximum size of a body, in bytes, unless the endpoint sets another one. */
export const defaultMaximumBytes = 1_048_576;

/** Rejects invalid UTF-8, which must not be stored as replacement characters. A byte order mark is not JSON. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The deepest nesting of a body. Parsing a deeper one takes many times as long as one of the same length. */
const maximumDepth = 100;

/**
 * Makes a function that receives the JSON body of a request for an endpoint. It returns undefined if the request has no
 * body. It throws a 400 for another content type, and a 413 for a body larger than the endpoint accepts, by default 1
 * MB.
 */
export function bodyReceiver({ maximumBytes = defaultMaximumBytes }: Pick<Endpoint, 'maximumBytes'>) {
  const readContent = contentReader('application/json', maximumBytes);
  return async (ctx: Context): Promise<Buffer | undefined> => {
    if (!hasBody(ctx)) return undefined;
    const content = await readContent(ctx);
    if (!content) throw badRequest(['body: must be JSON; send the header "Content-Type: application/json"']);
    return content;
  };
}

/** Parses a body. Throws a 400 unless it is an object or a list, because the API has no other bodies. */
export function jsonIn(bytes: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw badRequest(['body: must be valid UTF-8']);
  }
  try {
    // An empty body counts as an empty object, and keys that would change prototypes are rejected.
    if (text === '') return {};
    ensureShallow(bytes);
    const value: unknown = parse(text);
    if (typeof value !== 'object' || value === null) throw badRequest(['body: must be a JSON object']);
    ensureNotRounded(text);
    return value;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const isForbidden = error instanceof SyntaxError && error.message.includes('forbidden prototype');
    throw badRequest([
      isForbidden
        ? 'body: must not contain the properties __proto__ and constructor.prototype; remove them'
        : 'body: not valid JSON; send a JSON object in UTF-8',
    ]);
  }
}

const [quote, backslash] = [0x22, 0x5c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** Throws a 400 for a body that is nested too deeply. What is no JSON is not its concern. */
function ensureShallow(bytes: Buffer): void {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === backslash) at += 1;
    else if (byte === quote) isText = !isText;
    else if (isText || byte === undefined) continue;
    else if (closing.has(byte)) depth -= 1;
    else if (opening.has(byte) && (depth += 1) > maximumDepth) {
      throw badRequest([`body: must be nested at most ${maximumDepth} levels deep`]);
    }
  }
}

const maximumDigits = 15;

/**
 * Throws a 400 for a number that parsing has changed into one of fewer digits, such as 1.00000000000000001 into 1, or
 * 1e-400 into 0. Parsing does not change a number that keeps more than 15 digits, like 0.30000000000000004.
 */
function ensureNotRounded(text: string): void {
  if (!/\d[\d.]{15}|\de-\d{3,}\s*[,\]}]/i.test(text)) return;
  JSON.parse(text, (_, value: unknown, { source = '' }: { source?: string } = {}) => {
    if (typeof value === 'number' && digitsOf(String(value)) <= maximumDigits && exactNumber(source) === undefined) {
      throw badRequest([
        `body: the number ${source.slice(0, 40)} would be rounded; send at most 15 significant digits`,
      ]);
    }
    return value;
  });
}

/** The significant digits of a number as text. */
function digitsOf(text: string): number {
  return text
    .replace(/e.*$/i, '')
    .replaceAll(/[-.]/g, '')
    .replaceAll(/^0+|0+$/g, '').length;
}

function hasBody({ req: { headers } }: Context): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
