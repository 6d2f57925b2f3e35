/** What a browser gets when it signs in: the session itself, and the value its writes repeat in a header. */
export interface SessionTokens {
  readonly token: string;
  readonly csrfToken: string;
}

/** What a handler can do to the browser that calls it, without knowing HTTP. */
export interface Browser {
  /** Where it calls from. */
  readonly address: string;
  /** The session it presents, whether or not it is one. */
  readonly token: string | undefined;
  /** The value that its writes have to repeat, as it presents it. */
  readonly csrfToken: string | undefined;
  /** Lets it keep a session. */
  keepSession(tokens: SessionTokens): void;
  /** Lets it keep a value that the form of a sign-in has to repeat; it has no session yet. */
  keepCsrfToken(csrfToken: string): void;
  /** Has it forget its session. */
  dropSession(): void;
}
