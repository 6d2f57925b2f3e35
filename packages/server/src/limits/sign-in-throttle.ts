import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '../api-error.ts';
import { counterKey, networkOf } from './counter-key.ts';
import type { Counter, CounterStore } from './rate-limit.ts';

/** Slows down the guessing of passwords. */
export interface SignInThrottle {
  /**
   * Counts an attempt before its password is verified. Throws a 429 if the address had too many failures. Waits if the
   * account had many failures, from whatever addresses. Returns a function that takes the count back, to be called if
   * the password is right.
   */
  attempt(address: string, email: string): Promise<() => Promise<void>>;
}

const failuresPerAccountAndAddress = 10;
const failuresPerAddress = 100;
const failuresWithoutDelay = 10;
const firstDelayMs = 250;
const longestDelayMs = 3_000;
/** More attempts than an account can have in a window: the account's counter only determines the delay. */
const unlimited = 1_000_000_000;

/**
 * Per minute, allows 10 failures for one account from one address, and 100 from one address. After 10 failures for one
 * account from any address, each further attempt waits twice as long as the previous one, from 250 ms to 3 s: wrong
 * passwords from elsewhere delay the right one, but do not prevent it. Attempts in progress count as failures, so that
 * a burst is not let through.
 */
export function createSignInThrottle(
  store: CounterStore,
  wait: (ms: number) => Promise<unknown> = sleep,
): SignInThrottle {
  const pairs = store('login-pair', failuresPerAccountAndAddress, 'refundable');
  const addresses = store('login-address', failuresPerAddress, 'refundable');
  const accounts = store('login-account', unlimited, 'refundable');
  return {
    attempt: async (address, email) => {
      const network = networkOf(address);
      const counts = [
        [pairs, counterKey(email, network)],
        [addresses, counterKey(network)],
        [accounts, counterKey(email)],
      ] as const;
      let attempts = 0;
      for (const [counter, key] of counts) attempts = await consume(counter, key);
      if (attempts > failuresWithoutDelay) {
        await wait(Math.min(longestDelayMs, firstDelayMs * 2 ** (attempts - failuresWithoutDelay - 1)));
      }
      return async () => {
        for (const [counter, key] of counts) await counter.reward(key);
      };
    },
  };
}

/** Counts an attempt and returns the number of attempts in the window, in one step of the store. */
async function consume(counter: Counter, key: string): Promise<number> {
  try {
    return (await counter.consume(key)).consumedPoints;
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    const seconds = Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
    throw tooManyRequests('too_many_attempts', `Too many failed sign-ins; retry in ${seconds} s.`, seconds);
  }
}
