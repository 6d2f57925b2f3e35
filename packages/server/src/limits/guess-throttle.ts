import { RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '../api-error.ts';
import type { CounterStore } from './rate-limit.ts';

/** Stops the guessing of tokens that are looked up by their hash. */
export interface GuessThrottle {
  /** Performs a look-up, and counts it if it finds nothing. Throws a 429 instead if the caller has missed too often. */
  find<Found>(callerId: string, look: () => Promise<Found | null>): Promise<Found | null>;
}

const missesPerMinute = 30;

/**
 * Allows each caller 30 misses per minute. After that, the caller cannot look up even a token that exists. Successful
 * look-ups do not count, however many run at once. `name` is what is guessed.
 */
export function createGuessThrottle(store: CounterStore, name: string): GuessThrottle {
  const misses = store(`${name}-miss`, missesPerMinute);
  return {
    find: async (callerId, look) => {
      const before = await misses.get(callerId);
      if (before && before.consumedPoints >= missesPerMinute) throw exceeded(name, before);
      const found = await look();
      if (found !== null) return found;
      try {
        await misses.consume(callerId);
      } catch (rejection) {
        throw rejection instanceof RateLimiterRes ? exceeded(name, rejection) : rejection;
      }
      return null;
    },
  };
}

function exceeded(name: string, { msBeforeNext }: RateLimiterRes) {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return tooManyRequests(
    'too_many_attempts',
    `Too many unknown ${name} tokens; check the token and retry in ${seconds} s.`,
    seconds,
  );
}
