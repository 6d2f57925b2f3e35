import type { Context } from 'koa';
import type { Browser } from '../access/browser.ts';
import { sessionDays } from '../organization/session-token.ts';

/** Names of cookies and header are the specification's (Authentication, 5). */
export const sessionCookie = 'flow_session';
const csrfCookie = 'flow_csrf';
/** The header in which a session's writes repeat the value of the readable cookie. */
export const csrfHeader = 'x-service-csrf';

/** The browser behind a request. Cookies go over https only where the service is reached that way. */
export function browserOf(ctx: Context, isSecure: boolean): Browser {
  // TLS may end at a proxy in front of us; what counts is the address browsers use.
  ctx.cookies.secure = isSecure;
  const set = (name: string, value: string | null, httpOnly: boolean) =>
    ctx.cookies.set(name, value, {
      httpOnly,
      secure: isSecure,
      sameSite: 'lax',
      path: '/',
      overwrite: true,
      ...(value === null ? { expires: new Date(0) } : { maxAge: sessionDays * 24 * 60 * 60 * 1000 }),
    });
  return {
    address: ctx.ip,
    token: ctx.cookies.get(sessionCookie),
    keepSession: ({ token, csrfToken }) => {
      set(sessionCookie, token, true);
      set(csrfCookie, csrfToken, false);
    },
    dropSession: () => {
      set(sessionCookie, null, true);
      set(csrfCookie, null, false);
    },
  };
}
