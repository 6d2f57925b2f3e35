import { CatchUpError } from './errors.ts';
import { isEvent, type WebhookEvent } from './events.ts';

/** Where the feed is read. */
export interface FeedSource {
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** What `GET /events` answers. */
export interface FeedPage {
  readonly data: readonly WebhookEvent[];
  readonly hasMore: boolean;
  readonly after: string;
}

/** A request that did not bring a page. `waitMs` is the time to wait before the next, null when another one would not help. */
interface Failure {
  readonly problem: string;
  readonly waitMs: number | null;
  readonly cause?: unknown;
}

const timeoutMs = 30_000;
const mostAttempts = 5;
const mostWaitMs = 60_000;

/**
 * Reads the page of the feed after a cursor. Waits as long as `Retry-After` asks; tries five times where the service cannot be reached or
 * fails.
 *
 * @throws CatchUpError; TypeError without a usable address or key
 */
export async function readPage(source: FeedSource, after: string | undefined): Promise<FeedPage> {
  const url = feedUrl(source.baseUrl, after);
  if (!source.apiKey) throw new TypeError('`apiKey` is missing: pass an API key with the scope webhooks:manage.');
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask(url, source, 250 * 2 ** attempt);
    if ('data' in answer) return answer;
    const { problem, waitMs, cause } = answer;
    if (waitMs === null || waitMs > mostWaitMs || attempt === mostAttempts) {
      throw new CatchUpError(`The feed of events could not be read: ${problem}`, after, { cause });
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

async function ask(
  url: URL,
  { apiKey, fetch = globalThis.fetch }: FeedSource,
  usualWaitMs: number,
): Promise<FeedPage | Failure> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
      // The key stays with the server it was given to.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = parse(await response.text());
    if (response.ok) {
      return isPage(body) ? body : { problem: 'The answer is no page of events. Check `baseUrl`.', waitMs: null };
    }
    const passing = response.status === 429 || response.status >= 500;
    const asked = Number(response.headers.get('retry-after') ?? Number.NaN) * 1000;
    const waitMs = Number.isNaN(asked) ? usualWaitMs : asked;
    return { problem: refusal(response.status, body), waitMs: passing ? waitMs : null };
  } catch (cause) {
    return { problem: `${reasonOf(cause)}. Check that \`baseUrl\` is right.`, waitMs: usualWaitMs, cause };
  }
}

/** What an error says, with what lies behind it: fetch itself says no more than that it failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

function feedUrl(baseUrl: string | undefined, after: string | undefined): URL {
  try {
    const url = new URL(`${baseUrl?.replace(/\/+$/, '')}/events`);
    if (after !== undefined) url.searchParams.set('after', after);
    return url;
  } catch {
    throw new TypeError('`baseUrl` must be the address of the service, like https://runward.example.com.');
  }
}

function refusal(status: number, body: unknown): string {
  const said = typeof body === 'object' && body !== null && 'message' in body ? [body.message].flat() : [];
  if (said.length > 0) return `The service answered ${status}: ${said.join('; ')}`;
  return `The service answered ${status || 'with a redirect'}. Check \`baseUrl\`.`;
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
