import { RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '../api-error.ts';
import { counterKey, networkOf } from './counter-key.ts';
import type { CounterStore } from './rate-limit.ts';

/** Limits requests of people who have forgotten their password. */
export interface ResetThrottle {
  /**
   * Counts a request. Throws a 429 if the network address has sent too many. Returns false if the email address was
   * named a moment ago, so that nobody is flooded with mails.
   */
  admit(address: string, email: string): Promise<boolean>;
}

const requestsPerNetwork = 10;
const requestsPerEmail = 1;

/** Allows 10 requests per minute from one network address, and one mail per minute to one email address. */
export function createResetThrottle(store: CounterStore): ResetThrottle {
  const networks = store('reset-network', requestsPerNetwork);
  const emails = store('reset-email', requestsPerEmail);
  return {
    admit: async (address, email) => {
      try {
        await networks.consume(counterKey(networkOf(address)));
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection;
        const seconds = Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
        throw tooManyRequests(
          'too_many_attempts',
          `Too many requests for a new password; retry in ${seconds} s.`,
          seconds,
        );
      }
      try {
        await emails.consume(counterKey(email));
        return true;
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection;
        return false;
      }
    },
  };
}
