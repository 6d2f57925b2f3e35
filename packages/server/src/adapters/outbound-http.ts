import { Agent, request, type Dispatcher } from 'undici';
import { badRequest } from '../api-error.ts';
import { AddressRefused, ensureReachable, literalAddress, receiverUrl, type AddressRules } from './address-rules.ts';
import { version } from '../version.ts';
import { checkingConnector, systemResolve, type Resolve } from './checking-connector.ts';

/** What a receiver answered. A success has a 2xx `statusCode` and no `error`. */
export interface OutboundAnswer {
  /** Null where no answer came. */
  readonly statusCode: number | null;
  readonly retryAfterSeconds: number | null;
  /** The first 4 KB, as text PostgreSQL can store; null where no answer came. */
  readonly body: string | null;
  /** What went wrong besides the status, for people. */
  readonly error: string | null;
  readonly timedOut: boolean;
  readonly durationMs: number;
}

/** The way out of the house: HTTP to places that users name. */
export interface OutboundHttp {
  /** Throws a 400 where webhooks must not be sent. */
  ensureAllowed(url: string): Promise<void>;
  /** Sends a body and reads the start of the answer, all within 10 s. Checks the place again, follows no redirect, never throws. */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal?: AbortSignal,
  ): Promise<OutboundAnswer>;
  /** Cuts all connections. */
  close(): Promise<void>;
}

const totalMs = 10_000;
const resolveMs = 5_000;
const mostHeaderBytes = 16_384;
const mostBodyBytes = 65_536;
const keptBodyBytes = 4_096;

const ownHeaders = { 'user-agent': `Runward-Webhooks/${version}`, 'accept-encoding': 'identity' };

/** Makes the way out. `resolve` stands in for the system's name service. */
export function createOutboundHttp({
  resolve = systemResolve,
  ...rules
}: AddressRules & { resolve?: Resolve }): OutboundHttp {
  const agent = new Agent({
    connect: checkingConnector(rules, resolve),
    maxHeaderSize: mostHeaderBytes,
    // Short, because a receiver that drops an idle connection first makes a delivery fail for nothing.
    keepAliveTimeout: 2_000,
    keepAliveMaxTimeout: 2_000,
  });
  return {
    ensureAllowed: async (text) => {
      try {
        const { protocol, hostname } = receiverUrl(text, rules);
        const literal = literalAddress(hostname);
        const found = literal === null ? await within(AbortSignal.timeout(resolveMs), resolve(hostname)) : [];
        ensureReachable(protocol, literal === null ? found.map(({ address }) => address) : [literal], rules);
      } catch (error) {
        throw badRequest([
          `url: ${error instanceof AddressRefused ? error.message : 'host name cannot be resolved; check it'}`,
        ]);
      }
    },
    post: async (url, headers, body, signal) => {
      const start = performance.now();
      // One signal for both ends of an attempt. Those that AbortSignal composes are tracked by the garbage collector, at twice the cost.
      const cut = new AbortController();
      const onAbort = () => cut.abort(signal?.reason);
      const deadline = setTimeout(() => cut.abort(new DOMException('Timed out.', 'TimeoutError')), totalMs);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort);
      const answer: Answer = { statusCode: null, retryAfterSeconds: null, body: null, error: null, timedOut: false };
      try {
        const { href } = receiverUrl(url, rules);
        await exchange(answer, href, {
          dispatcher: agent,
          method: 'POST',
          headers: { ...headers, ...ownHeaders },
          body,
          signal: cut.signal,
        });
      } catch (error) {
        answer.timedOut = isTimeout(cut.signal.reason) || codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT';
        answer.error = storable(describe(error));
      } finally {
        clearTimeout(deadline);
        signal?.removeEventListener('abort', onAbort);
      }
      return { ...answer, durationMs: Math.round(performance.now() - start) };
    },
    close: () => agent.destroy(),
  };
}

type Answer = { -readonly [Key in keyof Omit<OutboundAnswer, 'durationMs'>]: OutboundAnswer[Key] };
type Call = Omit<Dispatcher.RequestOptions, 'origin' | 'path' | 'signal'> & {
  dispatcher: Dispatcher;
  signal: AbortSignal;
};

/** Fills in the answer as it arrives, so that what is known stays known when the rest does not come. */
async function exchange(answer: Answer, url: string, call: Call): Promise<void> {
  const { statusCode, headers, body } = await within(call.signal, request(url, call));
  answer.statusCode = statusCode;
  answer.retryAfterSeconds = secondsOf(headers['retry-after']);
  const kept: Buffer[] = [];
  try {
    await within(call.signal, keepStart(body, kept));
  } finally {
    answer.body = storable(Buffer.concat(kept).subarray(0, keptBodyBytes).toString());
  }
  if (statusCode >= 300 && statusCode < 400) {
    answer.error = 'Redirects are not followed; register the final URL.';
  }
}

async function keepStart(body: AsyncIterable<Buffer>, kept: Buffer[]): Promise<void> {
  let read = 0;
  for await (const chunk of body) {
    if (read < keptBodyBytes) kept.push(chunk);
    read += chunk.length;
    if (read >= mostBodyBytes) return;
  }
}

/** The work, cut short by the signal; the HTTP client itself minds one only once it is connected. */
async function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** A Retry-After header, in seconds or as a date. */
function secondsOf(header: string | string[] | undefined): number | null {
  const text = [header ?? ''].flat()[0]?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = text.endsWith('GMT') ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

const remedies: Record<string, string> = {
  ENOTFOUND: 'The host name cannot be resolved.',
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver closed the connection before it responded.',
  UND_ERR_SOCKET: 'The receiver closed the connection before the response was complete.',
  UND_ERR_CONNECT_TIMEOUT: 'Could not connect within 5 s.',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers exceed 16 KB.',
};

function describe(error: unknown): string {
  if (error instanceof AddressRefused) return `The URL ${error.message}.`;
  if (isTimeout(error)) return 'No complete response within 10 s.';
  const code = codeOf(error);
  return (
    remedies[code] ?? `No response: ${error instanceof Error ? error.message : String(error)}${code && ` (${code})`}`
  );
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** PostgreSQL has no NUL in text and JSON no half of a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
