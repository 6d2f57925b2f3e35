import type { Context } from 'koa';
import type { Browser, SessionTokens } from '../../access/browser.ts';
import { attemptSeconds, sessionDays } from '../../organization/session-token.ts';
import { signInPath } from '../../pages/paths.ts';

/** The specification defines the names of the cookies and the header (Authentication, 5). */
export const sessionCookie = 'flow_session';
const csrfCookie = 'flow_csrf';
/** The header in which the writes of a session repeat the value of the CSRF cookie. */
export const csrfHeader = 'x-service-csrf';

const forSession = { path: '/', seconds: sessionDays * 24 * 60 * 60 };
const forAttempt = { path: signInPath, seconds: attemptSeconds };
/** A sign-in with a provider that has begun. */
const attemptCookie = 'flow_sign_in';

/**
 * The browser behind a request. `isSecure` restricts cookies to https. They are parsed on demand, because few handlers
 * read them. An object literal with getters would keep its request longer (decision 0111).
 */
export class RequestBrowser implements Browser {
  readonly #ctx: Context;
  readonly #isSecure: boolean;

  constructor(ctx: Context, isSecure: boolean) {
    this.#ctx = ctx;
    this.#isSecure = isSecure;
  }

  get address(): string {
    return this.#ctx.ip;
  }

  get token(): string | undefined {
    return this.#ctx.cookies.get(sessionCookie);
  }

  get csrfToken(): string | undefined {
    return this.#ctx.cookies.get(csrfCookie);
  }

  get attempt(): string | undefined {
    return this.#ctx.cookies.get(attemptCookie);
  }

  keepSession({ token, csrfToken }: SessionTokens): void {
    this.#set(sessionCookie, token, true);
    this.#set(csrfCookie, csrfToken, false);
  }

  keepCsrfToken(csrfToken: string): void {
    this.#set(csrfCookie, csrfToken, false);
  }

  keepAttempt(attempt: string | null): void {
    this.#set(attemptCookie, attempt, true, forAttempt);
  }

  dropSession(): void {
    this.#set(sessionCookie, null, true);
    this.#set(csrfCookie, null, false);
  }

  #set(name: string, value: string | null, httpOnly: boolean, { path, seconds } = forSession): void {
    const { cookies } = this.#ctx;
    // A proxy may end TLS, so the URL that browsers use counts, not the connection.
    cookies.secure = this.#isSecure;
    cookies.set(name, value, {
      httpOnly,
      secure: this.#isSecure,
      sameSite: 'lax',
      path,
      overwrite: true,
      ...(value === null ? { expires: new Date(0) } : { maxAge: seconds * 1000 }),
    });
  }
}
