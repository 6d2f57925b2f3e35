import { AbortError, ConnectionError, RunwardError, TimeoutError } from '../errors/errors.ts';
import { property } from '../property.ts';
import type { Timing } from '../settings.ts';
import { shownUrl } from './redact.ts';
import type { Outgoing } from './transport.ts';

/** One attempt of a request: the signal that ends it early, and the error for its failure. */
export interface Attempt {
  /** Aborts when the caller's signal aborts or the timeout expires. */
  readonly signal: AbortSignal;
  /** Starts the timeout from the beginning. Does nothing after the end, while the rest of a body may still be read. */
  restartTimeout(): void;
  stopTimeout(): void;
  /** Stops the timeout and detaches from the signal of the caller. */
  end(): void;
  /**
   * The error for a failure. `response`: before the response was complete. `upload`: the same, with a streamed request
   * body. `stream`: while the response was streamed.
   */
  toError(error: unknown, during: 'response' | 'upload' | 'stream'): RunwardError;
}

const lateness = {
  response: (ms: number) => `took longer than ${ms} ms`,
  upload: (ms: number) => `made no progress for ${ms} ms`,
  stream: (ms: number) => `sent nothing for ${ms} ms`,
};

const remedies = {
  response: (origin: string) => `Check that baseUrl (${origin}) is correct and that the server is running.`,
  upload: (origin: string) => `The upload to ${origin} is incomplete; upload the file again.`,
  stream: () => 'The download is incomplete; discard it and retry.',
};

/** Starts an attempt and its timeout. */
export function startAttempt(outgoing: Outgoing, startTimer: Timing['startTimer']): Attempt {
  const { method, url, timeoutMs, signal } = outgoing;
  const what = `${method} ${new URL(shownUrl(url)).pathname}`;
  const early = new AbortController();
  const stop = () => early.abort();
  let stopTimeout = startTimer(timeoutMs, stop);
  let hasEnded = false;
  signal?.addEventListener('abort', stop, { once: true });

  return {
    signal: early.signal,
    restartTimeout() {
      stopTimeout();
      if (!hasEnded) stopTimeout = startTimer(timeoutMs, stop);
    },
    stopTimeout: () => stopTimeout(),
    end() {
      hasEnded = true;
      stopTimeout();
      signal?.removeEventListener('abort', stop);
    },
    toError(error, during) {
      if (error instanceof RunwardError) return error;
      if (signal?.aborted) return abortError(signal);
      if (early.signal.aborted) {
        const late = lateness[during](timeoutMs);
        return new TimeoutError(`${what} ${late}. If that is expected, raise \`timeoutMs\`.`);
      }
      const remedy = remedies[during](new URL(url).origin);
      return new ConnectionError(`${what} failed: ${reason(error)}. ${remedy}`, { cause: error });
    },
  };
}

/** Throws an AbortError if the signal has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

/** The error for a signal that has aborted. */
export function abortError(signal: AbortSignal): AbortError {
  return new AbortError('The call was aborted.', { cause: signal.reason });
}

// fetch itself only says "fetch failed" or "terminated". Its cause has a message, or at least a code.
function reason(error: unknown): string {
  const cause = property(error, 'cause') ?? error;
  const message = property(cause, 'message');
  if (typeof message === 'string' && message !== '') return message;
  return String(property(cause, 'code') ?? cause);
}
