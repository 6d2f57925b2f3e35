import { createGuessThrottle, type GuessThrottle } from './guess-throttle.ts';
import type { CounterStore } from './rate-limit.ts';
import { createResetThrottle, type ResetThrottle } from './reset-throttle.ts';
import { createSignInThrottle, type SignInThrottle } from './sign-in-throttle.ts';

/** What slows down guessing, and mails that nobody asked for. */
export interface Throttles {
  readonly signInThrottle: SignInThrottle;
  /** Limits the guessing of tokens of shares. */
  readonly shareThrottle: GuessThrottle;
  /** Limits the guessing of tokens of password links. */
  readonly passwordLinkThrottle: GuessThrottle;
  /** Limits the guessing of tokens of form links. */
  readonly formLinkThrottle: GuessThrottle;
  /** Limits the requests of people who have forgotten their password. */
  readonly resetThrottle: ResetThrottle;
}

/** All throttles, which count in a store. */
export function createThrottles(store: CounterStore): Throttles {
  return {
    signInThrottle: createSignInThrottle(store),
    shareThrottle: createGuessThrottle(store, 'share'),
    passwordLinkThrottle: createGuessThrottle(store, 'password-link'),
    formLinkThrottle: createGuessThrottle(store, 'form-link'),
    resetThrottle: createResetThrottle(store),
  };
}
