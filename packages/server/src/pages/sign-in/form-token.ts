import { randomBytes } from 'node:crypto';
import { isSameToken } from '../../organization/session-token.ts';
import type { PageRequest } from '../page.ts';

/** What a form says that this service has not given to this browser. */
export const outOfDate = 'This form was out of date, or cookies are switched off. Try again.';

/** What a form for people without a session repeats. The browser stores it, too. */
export function formToken({ browser }: Pick<PageRequest, 'browser'>): string {
  const token = browser.csrfToken ?? randomBytes(32).toString('base64url');
  if (browser.csrfToken === undefined) browser.keepCsrfToken(token);
  return token;
}

/** Whether this service has given a form to this browser: no other site can send it. */
export function isOwnForm({ browser, form }: Pick<PageRequest, 'browser' | 'form'>): boolean {
  return browser.csrfToken !== undefined && isSameToken(form.get('csrf') ?? '', browser.csrfToken);
}
