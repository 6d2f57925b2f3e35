import { createFetch, FetchError } from 'ofetch';
import { AbortError, ConnectionError, TimeoutError } from './errors.ts';
import { property } from './property.ts';

/** One request as it goes over the wire. */
export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** An answer of any status, read to its end. */
export interface Incoming {
  readonly response: Response;
  readonly text: string;
}

/**
 * Sends one request once; redirects are not followed.
 *
 * @throws ConnectionError, TimeoutError, AbortError
 */
export type Transport = (outgoing: Outgoing) => Promise<Incoming>;

/**
 * A transport over a fetch function. ofetch's own timeout ends with the headers and its retries go on with a signal that
 * has fired, so both are off: the timeout here covers the body, retries are in call.ts.
 */
export function createTransport(fetch: typeof globalThis.fetch): Transport {
  const ofetch = createFetch({ fetch });

  return async ({ method, url, headers, body, timeoutMs, signal }) => {
    throwIfAborted(signal);
    const deadline = new AbortController();
    const stop = () => deadline.abort();
    const timer = setTimeout(stop, timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const response = await ofetch.raw(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        signal: deadline.signal,
        redirect: 'manual',
        retry: false,
        ignoreResponseError: true,
        responseType: 'text',
      });
      const text = response._data ?? '';
      delete response._data;
      return { response, text };
    } catch (error) {
      throwIfAborted(signal);
      const what = `${method} ${new URL(url).pathname}`;
      if (deadline.signal.aborted) {
        throw new TimeoutError(`${what} took longer than ${timeoutMs} ms. Raise \`timeoutMs\` if that is expected.`);
      }
      // An error of ofetch carries the request with its headers, so only its cause is passed on.
      const cause = error instanceof FetchError ? error.cause : error;
      const remedy = `Check that baseUrl (${new URL(url).origin}) is right, and that the server runs.`;
      throw new ConnectionError(`${what} failed: ${reason(cause)}. ${remedy}`, { cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  };
}

/** Throws an AbortError when the caller's signal was aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AbortError('The call was aborted by its signal.', { cause: signal.reason });
}

// fetch says just "fetch failed" or "terminated"; its cause knows more, at times only as a code.
function reason(error: unknown): string {
  const cause = property(error, 'cause') ?? error;
  const message = property(cause, 'message');
  if (typeof message === 'string' && message !== '') return message;
  return String(property(cause, 'code') ?? cause);
}
