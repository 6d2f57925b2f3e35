import type { SessionTokens } from './session-token.ts';

/** What a handler can do to the browser that calls it, without knowing HTTP. */
export interface Browser {
  /** Where it calls from. */
  readonly address: string;
  /** The session it presents, whether or not it is one. */
  readonly token: string | undefined;
  /** Lets it keep a session. */
  keepSession(tokens: SessionTokens): void;
  /** Has it forget its session. */
  dropSession(): void;
}

/** Slows down guessing of passwords. */
export interface LoginThrottle {
  /** Throws a 429 where an address or an account had too many failures within a minute. */
  ensureAllowed(address: string, email: string): Promise<void>;
  /** Counts a failure. */
  fail(address: string, email: string): Promise<void>;
}
