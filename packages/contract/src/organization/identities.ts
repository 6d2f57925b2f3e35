import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id } from '../values.ts';

/** An account of an OpenID Connect provider with which a member signs in. */
export const identity = component(
  'Identity',
  'An account of an OpenID Connect provider with which a member signs in.',
  {
    id: id.describe('Id of the link.'),
    provider: z.string().nullable().describe('Name of the provider; null if it is not configured any more.'),
    issuer: z.string().describe('Issuer of the provider.'),
    subject: z.string().describe('Id of the account at the provider.'),
    createdAt: z.iso.datetime().describe('When the account was linked to the member.'),
    lastUsedAt: z.iso.datetime().describe('When the member last signed in with it.'),
  },
);

/** Accounts of providers with which members sign in, part of the group `users`. */
export const memberIdentities = {
  identities: {
    method: 'GET',
    path: '/users/:id/identities',
    access: 'administrator',
    summary: 'List the provider accounts with which a member signs in, newest first',
    query: pageQuery,
    response: page(identity),
  },
  unlink: {
    method: 'DELETE',
    path: '/users/:id/identities',
    access: 'administrator',
    summary: 'Unlink a member from all provider accounts',
    description:
      'Ends the sessions that began with these accounts. The next account with the verified email address of the member is linked ' +
      'again. Only owners can unlink owners; others get 403.',
  },
} as const satisfies Group;
