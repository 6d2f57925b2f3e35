import { RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '../api-error.ts';
import type { Counter, CounterStore } from './rate-limit.ts';

/** Slows down the guessing of passwords. */
export interface SignInThrottle {
  /** Throws a 429 if an address or an account had too many failures within a minute. */
  ensureAllowed(address: string, email: string): Promise<void>;
  /** Counts a failure. */
  fail(address: string, email: string): Promise<void>;
}

const failuresPerAccount = 10;
const failuresPerAddress = 100;

/** Allows 10 failures per minute for one account and 100 from one address. */
export function createSignInThrottle(store: CounterStore): SignInThrottle {
  const accounts = store('login-account', failuresPerAccount);
  const addresses = store('login-address', failuresPerAddress);
  const ensureBelow = async (limiter: Counter, key: string) => {
    const spent = await limiter.get(key);
    if (spent && spent.consumedPoints >= limiter.points) {
      const wait = Math.max(1, Math.ceil(spent.msBeforeNext / 1000));
      throw tooManyRequests(`Too many failed sign-ins; retry in ${wait} s.`, wait);
    }
  };
  const count = async (limiter: Counter, key: string) => {
    try {
      await limiter.consume(key);
    } catch (rejection) {
      // Over the limit; the failure is counted nevertheless.
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
    }
  };
  return {
    ensureAllowed: async (address, email) => {
      await ensureBelow(addresses, address);
      await ensureBelow(accounts, email);
    },
    fail: async (address, email) => {
      await count(addresses, address);
      await count(accounts, email);
    },
  };
}
