import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { apiKey } from './api-keys.ts';
import { settings } from './organization.ts';
import { user } from './users.ts';

const organization = settings
  .pick({ id: true, name: true, timezone: true, plan: true })
  .meta({ id: 'CallerOrganization', description: 'The organization of the caller.' });

const callerUser = user
  .pick({ id: true, email: true, name: true, role: true })
  .meta({ id: 'CallerUser', description: 'The member who sends the request, or created its API key.' });

const keyCaller = component('ApiKeyCaller', 'A caller with an API key.', {
  type: z.literal('API_KEY').describe('The request carries an API key.'),
  organization,
  apiKey: apiKey
    .pick({
      id: true,
      name: true,
      scopes: true,
      resourceMode: true,
      scopedTemplateIds: true,
      scopedFolderIds: true,
      expiresAt: true,
      createdByUserId: true,
    })
    .meta({ id: 'CallerApiKey', description: 'The API key of the request, without the key itself.' }),
  user: callerUser,
});

const userCaller = component('UserCaller', 'A caller with a browser session.', {
  type: z.literal('USER').describe('The request carries the cookie of a browser session.'),
  organization,
  user: callerUser,
});

/** Who sends a request: an API key or a signed-in member, distinguished by `type`, and their organization. */
const caller = z
  .discriminatedUnion('type', [keyCaller, userCaller])
  .meta({ id: 'Caller', description: 'Who sends the request: an API key, or a signed-in member.' });

/** The caller. */
export const me = {
  get: {
    method: 'GET',
    path: '/me',
    access: 'authenticated',
    summary: 'Get the caller',
    description:
      'Returns the API key and the member who created it, or the member who is signed in, and the organization.',
    response: caller,
  },
} as const satisfies Group;
