import type { Context } from 'koa';
import type { Browser } from '../../access/browser.ts';
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

/** The browser behind a request. `isSecure` restricts cookies to https. */
export function browserOf(ctx: Context, isSecure: boolean): Browser {
  const set = (name: string, value: string | null, httpOnly: boolean, { path, seconds } = forSession) => {
    // A proxy may end TLS, so the URL that browsers use counts, not the connection.
    ctx.cookies.secure = isSecure;
    ctx.cookies.set(name, value, {
      httpOnly,
      secure: isSecure,
      sameSite: 'lax',
      path,
      overwrite: true,
      ...(value === null ? { expires: new Date(0) } : { maxAge: seconds * 1000 }),
    });
  };
  return {
    address: ctx.ip,
    // Cookies are parsed on demand, because few handlers read them.
    get token() {
      return ctx.cookies.get(sessionCookie);
    },
    get csrfToken() {
      return ctx.cookies.get(csrfCookie);
    },
    get attempt() {
      return ctx.cookies.get(attemptCookie);
    },
    keepSession: ({ token, csrfToken }) => {
      set(sessionCookie, token, true);
      set(csrfCookie, csrfToken, false);
    },
    keepCsrfToken: (csrfToken) => set(csrfCookie, csrfToken, false),
    keepAttempt: (attempt) => set(attemptCookie, attempt, true, forAttempt),
    dropSession: () => {
      set(sessionCookie, null, true);
      set(csrfCookie, null, false);
    },
  };
}
