/** What a browser gets when it signs in: the session token, and the value that its writes repeat in a header. */
export interface SessionTokens {
  readonly token: string;
  readonly csrfToken: string;
}

/** What a handler can do to the browser that calls it, without knowing HTTP. */
export interface Browser {
  /** The address that it calls from. */
  readonly address: string;
  /** The session token that it sends, valid or not. */
  readonly token: string | undefined;
  /** The CSRF token that it sends. */
  readonly csrfToken: string | undefined;
  /** The sign-in with a provider that this browser has begun, as `keepAttempt` stored it. */
  readonly attempt: string | undefined;
  /** Stores a session in the browser. */
  keepSession(tokens: SessionTokens): void;
  /** Stores a value that the form for signing in must repeat, because the browser has no session yet. */
  keepCsrfToken(csrfToken: string): void;
  /** Stores a sign-in with a provider that has begun, so that only this browser can complete it; null removes it. */
  keepAttempt(attempt: string | null): void;
  /** Removes the session from the browser. */
  dropSession(): void;
}
