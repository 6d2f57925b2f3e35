import { FetchError } from 'ofetch';
import { AbortError, ConnectionError, RunwardError, TimeoutError } from './errors.ts';
import { property } from './property.ts';
import type { Timing } from './settings.ts';
import type { Outgoing } from './transport.ts';

/** One attempt of a request: what ends it early, and the error that says why it failed. */
export interface Attempt {
  /** Aborts with the caller's signal, and when the timeout expires. */
  readonly signal: AbortSignal;
  /** Gives the attempt another `timeoutMs` from now. */
  restartTimeout(): void;
  stopTimeout(): void;
  /** Releases the timer and the caller's signal. */
  end(): void;
  /** The error of a failure before the response is complete (`response`) or in the middle of a stream (`stream`). */
  toError(error: unknown, during: 'response' | 'stream'): RunwardError;
}

/** Starts an attempt and its timeout; the caller ends it. */
export function startAttempt(outgoing: Outgoing, startTimer: Timing['startTimer']): Attempt {
  const { method, url, timeoutMs, signal } = outgoing;
  const what = `${method} ${new URL(url).pathname}`;
  const early = new AbortController();
  const stop = () => early.abort();
  let stopTimeout = startTimer(timeoutMs, stop);
  signal?.addEventListener('abort', stop, { once: true });

  return {
    signal: early.signal,
    restartTimeout() {
      stopTimeout();
      stopTimeout = startTimer(timeoutMs, stop);
    },
    stopTimeout: () => stopTimeout(),
    end() {
      stopTimeout();
      signal?.removeEventListener('abort', stop);
    },
    toError(error, during) {
      if (error instanceof RunwardError) return error;
      if (signal?.aborted) return abortError(signal);
      if (early.signal.aborted) {
        const late = during === 'stream' ? `sent nothing for ${timeoutMs} ms` : `took longer than ${timeoutMs} ms`;
        return new TimeoutError(`${what} ${late}. Raise \`timeoutMs\` if that is expected.`);
      }
      // An error of ofetch carries the request with its headers, so only its cause is passed on.
      const cause = error instanceof FetchError ? error.cause : error;
      const remedy =
        during === 'stream'
          ? 'Discard the part that arrived and try again.'
          : `Check that baseUrl (${new URL(url).origin}) is right, and that the server runs.`;
      return new ConnectionError(`${what} failed: ${reason(cause)}. ${remedy}`, { cause });
    },
  };
}

/** Throws an AbortError when the caller's signal was aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

function abortError(signal: AbortSignal): AbortError {
  return new AbortError('The call was aborted by its signal.', { cause: signal.reason });
}

// fetch says just "fetch failed" or "terminated"; its cause knows more, at times only as a code.
function reason(error: unknown): string {
  const cause = property(error, 'cause') ?? error;
  const message = property(cause, 'message');
  if (typeof message === 'string' && message !== '') return message;
  return String(property(cause, 'code') ?? cause);
}
