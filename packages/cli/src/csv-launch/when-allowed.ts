import { setTimeout as sleep } from 'node:timers/promises';
import { isRateLimited, type RateLimitError } from '@runward/sdk';

const maximumRetries = 10;
const longestWaitSeconds = 60;

/** What waits for the rate limit. */
export interface Waiting {
  /** Aborted to stop waiting. */
  readonly stop: AbortSignal;
  /** Called before each wait. */
  readonly onWait: (error: RateLimitError, delayMs: number) => void;
}

/**
 * Sends a request until the rate limit allows it. The SDK's own retries cannot be stopped without aborting a request
 * under way; this wait ends at once.
 *
 * @throws RateLimitError if the command is to stop, after ten retries, or if the wait would be longer than a minute
 */
export async function whenAllowed<Value>(send: () => PromiseLike<Value>, { stop, onWait }: Waiting): Promise<Value> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!isRateLimited(error) || stop.aborted || attempt === maximumRetries) throw error;
      const seconds = error.retryAfterSeconds ?? 1;
      if (seconds > longestWaitSeconds) throw error;
      onWait(error, seconds * 1000);
      // Stopped: the error is thrown below.
      await sleep(seconds * 1000, undefined, { signal: stop }).catch(() => {});
      if (stop.aborted) throw error;
    }
  }
}
