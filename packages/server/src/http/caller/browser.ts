import type { Context } from 'koa';
import type { Browser } from '../../access/browser.ts';
import { sessionDays } from '../../organization/session-token.ts';

/** The specification defines the names of the cookies and the header (Authentication, 5). */
export const sessionCookie = 'flow_session';
const csrfCookie = 'flow_csrf';
/** The header in which the writes of a session repeat the value of the CSRF cookie. */
export const csrfHeader = 'x-service-csrf';

/** The browser behind a request. `isSecure` restricts cookies to https. */
export function browserOf(ctx: Context, isSecure: boolean): Browser {
  const set = (name: string, value: string | null, httpOnly: boolean) => {
    // A proxy may end TLS, so the URL that browsers use counts, not the connection.
    ctx.cookies.secure = isSecure;
    ctx.cookies.set(name, value, {
      httpOnly,
      secure: isSecure,
      sameSite: 'lax',
      path: '/',
      overwrite: true,
      ...(value === null ? { expires: new Date(0) } : { maxAge: sessionDays * 24 * 60 * 60 * 1000 }),
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
    keepSession: ({ token, csrfToken }) => {
      set(sessionCookie, token, true);
      set(csrfCookie, csrfToken, false);
    },
    keepCsrfToken: (csrfToken) => set(csrfCookie, csrfToken, false),
    dropSession: () => {
      set(sessionCookie, null, true);
      set(csrfCookie, null, false);
    },
  };
}
