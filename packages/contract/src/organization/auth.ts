import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { email, id, newPassword } from '../values.ts';
import { identity } from './identities.ts';
import { user } from './users.ts';

/** A browser session: the signed-in member and their organization. */
export const session = component('Session', 'A browser session: the signed-in member and their organization.', {
  user,
  organization: component('SessionOrganization', 'The organization of the member.', {
    id: id.describe('Id of the organization.'),
    name: z.string().describe('Display name.'),
  }),
  expiresAt: z.iso.datetime().describe('The session ends then, or earlier after 8 hours without a request.'),
});

/** A session of the caller. Its token is never shown. */
const ownSession = component('OwnSession', 'A browser session of the caller that can be used now.', {
  id: id.describe('Id of the session.'),
  createdAt: z.iso.datetime().describe('When the member signed in.'),
  lastUsedAt: z.iso.datetime().describe('When it was last used, at most a minute out of date.'),
  expiresAt: z.iso.datetime().describe('The session ends then, or earlier after 8 hours without a request.'),
  isCurrent: z.boolean().describe('Whether this request was made with it.'),
});

const currentPassword = z
  .string()
  .min(1, 'must not be empty')
  .max(128, 'must be at most 128 characters')
  .normalize('NFC');

/**
 * Browser sessions. Signing in sets the cookies `flow_session` and `flow_csrf`. Every request of a session other than
 * GET sends the value of `flow_csrf` in the header `x-service-csrf`.
 */
export const auth = {
  login: {
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    summary: 'Sign in with an email address and a password',
    description:
      'Sets the cookies `flow_session` and `flow_csrf`. The session lasts at most 7 days. Returns 401 if the email address or the ' +
      'password is wrong, and 429 after 10 failures a minute for one account from one network address, or 100 from that address. ' +
      'After 10 failures a minute for one account from any address, further attempts are delayed, by at most 3 seconds. Returns 403 if ' +
      'passwords are switched off.',
    body: component('SignIn', 'Credentials of a member.', {
      email: email.describe('Email address of the member; case is ignored.'),
      password: currentPassword.describe('Password of the member.'),
    }),
    errors: ['invalid_credentials', 'passwords_disabled', 'too_many_attempts'],
    response: session,
  },
  redeemPasswordLink: {
    method: 'POST',
    path: '/auth/password-links/redeem',
    access: 'public',
    summary: 'Set a password with a link, and sign in',
    description:
      'Ends all sessions of the member and sets the cookies of a new one, as signing in does. A link works once. Returns the same 400 for a ' +
      'token that is unknown, was used, replaced or revoked, or has expired, 403 if passwords are switched off, and 429 after 30 such tokens ' +
      'in a minute from one network.',
    body: component('RedeemPasswordLink', 'The token of a link, and the new password.', {
      token: z.string().max(255, 'must be at most 255 characters').describe('The last segment of the URL of the link.'),
      password: newPassword.describe('The new password: 8 to 128 characters.'),
    }),
    errors: ['link_invalid', 'passwords_disabled', 'too_many_attempts'],
    response: session,
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    access: 'session',
    guests: true,
    summary: 'Sign out',
    description: 'Ends the session and clears its cookies.',
  },
  session: {
    method: 'GET',
    path: '/auth/session',
    access: 'session',
    guests: true,
    summary: 'Get the current session',
    response: session,
  },
  sessions: {
    method: 'GET',
    path: '/auth/sessions',
    access: 'session',
    summary: 'List your own sessions, newest first',
    description: 'Lists the sessions that can be used now, in every browser where you signed in.',
    query: pageQuery,
    response: page(ownSession),
  },
  endSession: {
    method: 'DELETE',
    path: '/auth/sessions/:id',
    access: 'session',
    summary: 'End one of your own sessions',
    description: 'Its next request gets 401. Ending the current session is the same as signing out.',
  },
  identities: {
    method: 'GET',
    path: '/auth/identities',
    access: 'session',
    summary: 'List the provider accounts with which you sign in, newest first',
    query: pageQuery,
    response: page(identity),
  },
  changePassword: {
    method: 'POST',
    path: '/auth/password',
    access: 'session',
    summary: 'Change your own password',
    description:
      'Ends all other sessions of the member, and revokes their link to set a password; API keys keep working. Returns 400 if the current ' +
      'password is wrong, 403 if passwords are switched off, and 429 after too many failures.',
    body: component('ChangePassword', 'The current and the new password.', {
      currentPassword: currentPassword.describe('The password that is replaced.'),
      newPassword: newPassword.describe('8 to 128 characters.'),
    }),
    errors: ['password_incorrect', 'passwords_disabled', 'too_many_attempts'],
  },
} as const satisfies Group;
