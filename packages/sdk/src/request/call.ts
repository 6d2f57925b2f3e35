import { toEntityTag } from '../entity-tag.ts';
import { toApiError } from '../errors/api-error.ts';
import { isRunwardError } from '../errors/error-guards.ts';
import { RunwardError } from '../errors/errors.ts';
import { isNode } from '../files/node-module.ts';
import type { QueryValues, StaleReadOptions, VersionedWriteOptions } from '../options.ts';
import type { Effect, Method } from '../route.ts';
import { checkRetries, checkTimeout, type Settings } from '../settings.ts';
import type { ApiResponse, Call } from '../types.ts';
import { readAge, toMaxStale } from './age.ts';
import { throwIfAborted } from './attempt.ts';
import { hasKeyInBody, headerKeyOf } from './idempotency.ts';
import { contextOf } from './interceptors.ts';
import { readRateLimit } from './rate-limit.ts';
import { acceptOf, isStreamed, readBody, type Returns } from './read-body.ts';
import { shownUrl } from './redact.ts';
import { retryDelayMs } from './retry.ts';
import type { SentContent } from './sent-content.ts';
import type { Incoming, Outgoing } from './transport.ts';
import { urlOf } from './url.ts';

/** A request before the settings of the client are applied. */
export interface ApiRequest {
  /** The method of the SDK, like `runs.get`; null for `request`. */
  readonly operation: string | null;
  readonly method: Method;
  /** A request that only reads may be sent again, whatever its method. */
  readonly effect: Effect;
  /** A path below `baseUrl`, or the signed URL of a file. */
  readonly path: string;
  readonly query: QueryValues | undefined;
  /** Content that is streamed with its media type, instead of a `body`. */
  readonly content?: { readonly type: string; readonly sent: SentContent };
  /** A FormData is sent as `multipart/form-data`, a Blob unchanged, any other value as JSON. */
  readonly body: unknown;
  /** Whether the API key is sent. `required` fails without one; `optional` sends it if there is one. */
  readonly key: 'required' | 'optional' | 'none';
  readonly returns: Returns;
  readonly options: VersionedWriteOptions & StaleReadOptions;
}

/** Turns a pending response into a promise of its data, with `withResponse` for the rest. */
export function toCall<Data>(response: Promise<ApiResponse<Data>>): Call<Data> {
  const data = response.then((received) => received.data);
  return Object.assign(data, {
    withResponse() {
      // The caller handles the rejection of `response`. Without this, the same rejection of `data` would be unhandled
      // and end the process.
      data.catch(() => {});
      return response;
    },
  });
}

/**
 * Sends a request, with retries.
 *
 * @throws RunwardError; errors of hooks are passed on
 */
export async function send(settings: Settings, request: ApiRequest): Promise<ApiResponse<unknown>> {
  const { timing, hooks, maxRetryAfterSeconds, transport } = settings;
  const { operation, options } = request;
  const idempotencyKey = headerKeyOf(settings, request);
  const outgoing = prepare(settings, request, idempotencyKey);
  const rule = {
    maxRetries: checkRetries(options.maxRetries ?? settings.maxRetries),
    maxRetryAfterSeconds,
    repeatable: isRepeatable(request, idempotencyKey),
    random: timing.random,
  };

  for (let attempt = 1; ; attempt += 1) {
    const info = { operation, attempt };
    try {
      return read(settings, request, await transport(outgoing, info));
    } catch (error) {
      const delayMs = retryDelayMs(error, { ...rule, attempt });
      const isSpent = request.content?.sent.isRepeatable() === false;
      if (delayMs === null || isSpent || !isRunwardError(error)) throw error;
      await hooks.onRetry?.({ ...contextOf(info, outgoing), error, delayMs });
      await pause(settings, delayMs, options.signal);
    }
  }
}

function prepare(settings: Settings, request: ApiRequest, idempotencyKey: string | undefined): Outgoing {
  const { method, path, query, body, content, key, returns, options } = request;
  const { apiKey, baseUrl, userAgent } = settings;
  if (key === 'required' && apiKey === null) {
    throw new RunwardError(
      'No API key. Pass `apiKey` to createClient, or set the environment variable RUNWARD_API_KEY.',
    );
  }
  const isSigned = key === 'none' && /^https?:/.test(path);
  if (!isSigned && !path.startsWith('/')) throw new RunwardError('`path` must start with a slash, like /runs.');
  if (method === 'GET' && body !== undefined) throw new RunwardError('A GET request has no body; use `query` instead.');
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new RunwardError('`idempotencyKey` must be 1 to 255 visible ASCII characters, like a UUID.');
  }

  const headers = new Headers({ accept: acceptOf(returns), 'user-agent': userAgent });
  if (key !== 'none' && apiKey !== null) headers.set('authorization', `Bearer ${apiKey}`);
  // fetch sets the content type of a form: it contains the boundary.
  const isSentAsIs = body instanceof FormData || body instanceof Blob;
  if (body instanceof Blob) headers.set('content-type', body.type || 'application/octet-stream');
  else if (body !== undefined && !isSentAsIs) headers.set('content-type', 'application/json');
  if (content) {
    headers.set('content-type', content.type);
    if (isNode) headers.set('content-length', String(content.sent.size));
  }
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  if (options.ifMatch !== undefined) headers.set('if-match', toEntityTag(options.ifMatch));
  if (options.maxStaleSeconds !== undefined) headers.set('cache-control', toMaxStale(options.maxStaleSeconds));
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  return {
    method,
    url: isSigned ? path : urlOf(baseUrl, path, query),
    headers,
    body: content?.sent ?? (isSentAsIs ? body : JSON.stringify(body)),
    timeoutMs: checkTimeout(options.timeoutMs ?? settings.timeoutMs),
    signal: options.signal,
    isStreamed: (response) => isStreamed(returns, response),
  };
}

function read(
  { apiKey, timing }: Settings,
  { method, path, returns }: ApiRequest,
  incoming: Incoming,
): ApiResponse<unknown> {
  const { response, body } = incoming;
  if (!response.ok) {
    const text = shownUrl(typeof body === 'string' ? body : '');
    // Error pages of some proxies contain the request with its headers.
    const shown = apiKey === null ? text : text.replaceAll(apiKey, '[redacted]');
    throw toApiError(response, shown, { method, path: shownUrl(path) }, timing.now());
  }
  return {
    data: readBody(returns, incoming, `${method} ${shownUrl(path).replace(/[?#].*$/, '')}`),
    response,
    requestId: response.headers.get('x-request-id'),
    etag: response.headers.get('etag'),
    ageSeconds: readAge(response.headers),
    rateLimit: readRateLimit(response.headers),
  };
}

async function pause({ timing }: Settings, ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await timing.sleep(ms, signal);
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
}

function isRepeatable({ method, effect, body }: ApiRequest, idempotencyKey: string | undefined): boolean {
  if (effect === 'read' || method === 'PUT' || method === 'DELETE') return true;
  return idempotencyKey !== undefined || hasKeyInBody(body);
}
