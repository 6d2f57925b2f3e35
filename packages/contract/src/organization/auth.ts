import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { user } from './users.ts';
import { email, id, newPassword } from '../values.ts';

/** Who is signed in, and until when the session lasts at most. */
export const session = z
  .strictObject({
    user,
    organization: z.strictObject({ id, name: z.string() }),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Session' });

/**
 * Browser sessions. Signing in sets the cookies `flow_session` and `flow_csrf`; every write of a session sends the value of
 * `flow_csrf` in the header `x-service-csrf`.
 */
export const auth = {
  login: {
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    summary: 'Sign in with email address and password',
    description: 'Sets the cookies of the session. Too many failures answer 429.',
    body: z.strictObject({ email, password: z.string().min(1, 'must not be empty').max(128).normalize('NFC') }),
    status: 200,
    response: session,
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    access: 'session',
    summary: 'Sign out; clears the cookies',
    status: 204,
  },
  session: {
    method: 'GET',
    path: '/auth/session',
    access: 'session',
    summary: 'Who is signed in',
    status: 200,
    response: session,
  },
  changePassword: {
    method: 'POST',
    path: '/auth/password',
    access: 'session',
    summary: "Change one's own password; ends every other session",
    body: z.strictObject({ currentPassword: z.string().min(1).max(128).normalize('NFC'), newPassword }),
    status: 204,
  },
} as const satisfies Group;
