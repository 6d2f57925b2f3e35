import { CatchUpError } from './errors.ts';
import { isEvent, type WebhookEvent } from './events.ts';

/** The service whose feed is read. */
export interface FeedSource {
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A page of `GET /events`. */
export interface FeedPage {
  readonly data: readonly WebhookEvent[];
  readonly hasMore: boolean;
  readonly after: string;
}

/** Waits for a time in milliseconds. */
export type Sleep = (ms: number) => Promise<unknown>;

/** A failed request. `waitMs` is the time to wait before a retry; null if the error is permanent. */
interface Failure {
  readonly reason: string;
  readonly waitMs: number | null;
  readonly cause?: unknown;
}

// The path of `events.list` in the contract. This package has no dependencies and cannot import the contract; a test
// compares the paths.
const path = '/events';
const timeoutMs = 30_000;
const maximumAttempts = 5;
const maximumWaitMs = 60_000;

/**
 * Reads the page of the feed after a cursor. Makes up to five attempts if the service fails or cannot be reached. Waits
 * for `Retry-After`, up to a minute.
 *
 * @throws CatchUpError; TypeError if the address or the key is unusable
 */
export async function readPage(
  source: FeedSource,
  after: string | undefined,
  sleep: Sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<FeedPage> {
  const url = feedUrl(source.baseUrl, after);
  if (!source.apiKey) throw new TypeError('`apiKey` is missing: pass an API key with the scope webhooks:manage.');
  for (let attempt = 1; ; attempt += 1) {
    const result = await requestPage(url, source, 250 * 2 ** attempt);
    if ('data' in result) return result;
    const { reason, waitMs, cause } = result;
    if (waitMs === null || waitMs > maximumWaitMs || attempt === maximumAttempts) {
      throw new CatchUpError(`The event feed could not be read: ${reason}`, after, { cause });
    }
    await sleep(waitMs);
  }
}

async function requestPage(
  url: URL,
  { apiKey, fetch = globalThis.fetch }: FeedSource,
  defaultWaitMs: number,
): Promise<FeedPage | Failure> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
      // A redirect would send the key to another server.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = parse(await response.text());
    if (response.ok) {
      return isPage(body) ? body : { reason: 'The response is not a page of events. Check `baseUrl`.', waitMs: null };
    }
    const isTransient = response.status === 429 || response.status >= 500;
    const retryAfterMs = Number(response.headers.get('retry-after') ?? Number.NaN) * 1000;
    const waitMs = Number.isNaN(retryAfterMs) ? defaultWaitMs : retryAfterMs;
    return { reason: describe(response.status, body), waitMs: isTransient ? waitMs : null };
  } catch (cause) {
    return { reason: `${reasonOf(cause)}. Check \`baseUrl\`.`, waitMs: defaultWaitMs, cause };
  }
}

/** The message of an error and its cause. The message of fetch alone is only "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

function feedUrl(baseUrl: string | undefined, after: string | undefined): URL {
  try {
    const url = new URL(`${baseUrl?.replace(/\/+$/, '')}${path}`);
    if (after !== undefined) url.searchParams.set('after', after);
    return url;
  } catch {
    throw new TypeError('`baseUrl` must be the address of the service, like https://runward.example.com.');
  }
}

function describe(status: number, body: unknown): string {
  const messages = typeof body === 'object' && body !== null && 'message' in body ? [body.message].flat() : [];
  if (messages.length > 0) return `The service returned ${status}: ${messages.join('; ')}`;
  return `The service returned ${status || 'a redirect'}. Check \`baseUrl\`.`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isPage(body: unknown): body is FeedPage {
  if (typeof body !== 'object' || body === null) return false;
  const { data, hasMore, after } = body as Record<string, unknown>;
  return Array.isArray(data) && data.every(isEvent) && typeof hasMore === 'boolean' && typeof after === 'string';
}
