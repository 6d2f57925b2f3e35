import type { Dispatcher } from 'undici';
import { badRequest } from '../api-error.ts';
import { withDeadline } from '../deadline.ts';
import { version } from '../version.ts';
import { AddressRejected, ensureReachable, literalAddress, receiverUrl, type AddressRules } from './address-rules.ts';
import { systemResolve, type Resolve } from './resolve.ts';

/** The result of a request to a receiver. A success has a 2xx `statusCode` and no `error`. */
export interface OutboundResult {
  /** Null if there was no response. */
  readonly statusCode: number | null;
  readonly retryAfterSeconds: number | null;
  /** The first 4 KB of the response body, as text that PostgreSQL can store; null if there was no response. */
  readonly body: string | null;
  /** A readable description of the failure, apart from the status. */
  readonly error: string | null;
  readonly timedOut: boolean;
  readonly durationMs: number;
}

/** Outbound HTTP to user-supplied URLs. */
export interface OutboundHttp {
  /** Throws a 400 if webhooks must not be sent to the URL. A name that cannot be resolved now is allowed. */
  ensureAllowed(url: string): Promise<void>;
  /**
   * Sends a body and reads the start of the response, within `maximumAttemptMs`. Checks the address again and does not
   * follow redirects. Never throws.
   */
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<OutboundResult>;
  /** Closes all connections immediately. Requests in progress fail. */
  close(): Promise<void>;
}

/** The time limit of a whole request, from resolving the host to the end of the response. */
const maximumAttemptMs = 10_000;

const resolveMs = 5_000;
const maximumHeaderBytes = 16_384;
const maximumBodyBytes = 65_536;
const storedBodyBytes = 4_096;

const ownHeaders = { 'user-agent': `Runward-Webhooks/${version}`, 'accept-encoding': 'identity' };

/**
 * Creates the HTTP client. Tests can replace the system's resolver with `resolve`, and the time limit with `timeoutMs`.
 */
export function createOutboundHttp({
  resolve = systemResolve,
  timeoutMs = maximumAttemptMs,
  ...rules
}: AddressRules & { resolve?: Resolve; timeoutMs?: number }): OutboundHttp {
  let opening: Promise<Dispatcher> | undefined;
  return {
    ensureAllowed: async (text) => {
      try {
        const { protocol, hostname } = receiverUrl(text, rules);
        const literal = literalAddress(hostname);
        const addresses = literal === null ? await addressesOf(hostname, resolve) : [literal];
        // A receiver may get its name later. Every attempt checks the address again.
        if (addresses === null && protocol === 'https:') return;
        ensureReachable(protocol, addresses ?? [], rules);
      } catch (error) {
        throw error instanceof AddressRejected ? badRequest([`url: ${error.message}`]) : error;
      }
    },
    post: async (url, headers, body) => {
      const start = performance.now();
      const result: MutableResult = {
        statusCode: null,
        retryAfterSeconds: null,
        body: null,
        error: null,
        timedOut: false,
      };
      try {
        const { origin, pathname, search } = receiverUrl(url, rules);
        const agent = await (opening ??= openAgent(rules, resolve));
        const call = { origin, path: pathname + search, headers: { ...headers, ...ownHeaders }, body };
        await exchange(agent, call, result, timeoutMs);
      } catch (error) {
        result.timedOut = isTimeout(error) || codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT';
        result.error = storable(describe(error, timeoutMs));
      }
      return { ...result, durationMs: Math.round(performance.now() - start) };
    },
    close: async () => (await opening)?.destroy(),
  };
}

/** The addresses of a host; null if its name cannot be resolved now. */
async function addressesOf(host: string, resolve: Resolve): Promise<string[] | null> {
  const found = await withDeadline(resolveMs, resolve(host), () => null).catch(() => null);
  return found && found.map(({ address }) => address);
}

/** Loads undici, which many processes never need, and opens its pool of connections. */
async function openAgent(rules: AddressRules, resolve: Resolve): Promise<Dispatcher> {
  const { Agent } = await import('undici');
  const { checkingConnector } = await import('./checking-connector.ts');
  return new Agent({
    connect: checkingConnector(rules, resolve),
    maxHeaderSize: maximumHeaderBytes,
    // Short, because a delivery fails if the receiver closes an idle connection first.
    keepAliveTimeout: 2_000,
    keepAliveMaxTimeout: 2_000,
  });
}

type MutableResult = { -readonly [Key in keyof Omit<OutboundResult, 'durationMs'>]: OutboundResult[Key] };

/**
 * Fills in the result as the response arrives, so that a failure keeps the status and the received part of the body.
 * Ends at the time limit, also while the agent is still connecting.
 */
async function exchange(
  agent: Dispatcher,
  call: Omit<Dispatcher.DispatchOptions, 'method'>,
  result: MutableResult,
  timeoutMs: number,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let controller: Dispatcher.DispatchController | undefined;
  let givenUp: Error | undefined;
  const giveUp = (reason: Error) => {
    givenUp = reason;
    reject(reason);
    controller?.abort(reason);
  };
  const deadline = setTimeout(() => giveUp(new DOMException('Timed out.', 'TimeoutError')), timeoutMs);

  const chunks: Buffer[] = [];
  let read = 0;
  agent.dispatch(
    { ...call, method: 'POST' },
    {
      onRequestStart: (started) => {
        controller = started;
        if (givenUp) started.abort(givenUp);
      },
      onResponseStart: (_, statusCode, headers) => {
        // The final response follows an interim one.
        if (statusCode < 200) return;
        result.statusCode = statusCode;
        result.retryAfterSeconds = secondsOf(headers['retry-after']);
        if (statusCode >= 300 && statusCode < 400) {
          result.error = 'Redirects are not followed; register the final URL.';
        }
      },
      onResponseData: (started, chunk) => {
        if (read < storedBodyBytes) chunks.push(chunk);
        read += chunk.length;
        if (read < maximumBodyBytes) return;
        resolve();
        started.abort(new Error('The rest of the response is not read.'));
      },
      onResponseEnd: () => resolve(),
      onResponseError: (_, error) => reject(error),
    },
  );
  try {
    await promise;
  } finally {
    clearTimeout(deadline);
    if (result.statusCode !== null) {
      result.body = storable(Buffer.concat(chunks).subarray(0, storedBodyBytes).toString());
    }
  }
}

/** The seconds to wait from a Retry-After header, which may be a number or a date. Null if it has neither. */
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

function describe(error: unknown, timeoutMs: number): string {
  if (error instanceof AddressRejected) return `The URL ${error.message}.`;
  if (isTimeout(error)) return `No complete response within ${timeoutMs / 1000} s.`;
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

/** PostgreSQL text cannot contain NUL, and its JSON cannot contain lone surrogates. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
