import type { $Fetch } from 'ofetch';
import { isNode } from '../files/node-module.ts';
import type { Hooks } from '../hooks.ts';
import type { Method } from '../route.ts';
import type { Timing } from '../settings.ts';
import { startAttempt, throwIfAborted } from './attempt.ts';
import { interceptorsOf, type AttemptInfo } from './interceptors.ts';
import { toSentStream, type SentContent } from './sent-content.ts';
import { streamBody } from './stream-body.ts';

/** A request, ready to send. */
export interface Outgoing {
  readonly method: Method;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | FormData | Blob | SentContent | undefined;
  /**
   * Time limit until the end of the body. For a streamed body, sent or received: until the headers, then between two
   * parts.
   */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Whether the body of this response is streamed to the caller. */
  readonly isStreamed: (response: Response) => boolean;
}

/** A response of any status, with its body as text or as a stream. */
export interface Incoming {
  readonly response: Response;
  readonly body: string | ReadableStream<Uint8Array>;
}

/**
 * Sends one request once and calls the hooks; redirects are not followed.
 *
 * @throws ConnectionError, TimeoutError, AbortError; errors of hooks are passed on
 */
export type Transport = (outgoing: Outgoing, info: AttemptInfo) => Promise<Incoming>;

/**
 * A transport that uses a fetch function. Two features of ofetch are disabled: its timeout ends with the headers, and
 * its retries reuse an aborted signal. attempt.ts and call.ts replace them. ofetch is imported with the first request,
 * because importing it loads Node's fetch.
 */
export function createTransport(
  fetch: typeof globalThis.fetch,
  startTimer: Timing['startTimer'],
  hooks: Hooks,
): Transport {
  let loaded: $Fetch | undefined;
  const load = async () => (loaded ??= (await import('ofetch')).createFetch({ fetch }));

  return async (outgoing, info) => {
    const { method, url, headers, isStreamed } = outgoing;
    throwIfAborted(outgoing.signal);
    const attempt = startAttempt(outgoing, startTimer);
    const sent = isNode && isContent(outgoing.body) ? toSentStream(outgoing.body, attempt) : null;
    const toError = (error: unknown) => attempt.toError(sent?.failure()?.error ?? error, sent ? 'upload' : 'response');
    const fail = (error: unknown) => {
      throw toError(error);
    };
    try {
      const body = sent?.stream ?? (isContent(outgoing.body) ? await outgoing.body.whole().catch(fail) : outgoing.body);
      const ofetch = await load();
      const response = await ofetch.raw(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        signal: attempt.signal,
        redirect: 'manual',
        // Otherwise Node's fetch duplicates the stream, for a redirect, and so keeps all of it in memory.
        ...(sent?.isInMemory === false && { redirect: 'error', window: null }),
        retry: false,
        ignoreResponseError: true,
        responseType: 'stream',
        ...interceptorsOf(hooks, info, outgoing, toError),
      });
      if (isStreamed(response)) return { response, body: await streamBody(response, attempt) };
      const text = await response.text().catch(fail);
      attempt.end();
      return { response, body: text };
    } catch (error) {
      attempt.end();
      throw error;
    }
  };
}

function isContent(body: Outgoing['body']): body is SentContent {
  return typeof body === 'object' && 'whole' in body;
}
