import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { mailing } from '../mailing.ts';

/** Why a member gets a link: they have no password yet, or need another one. */
export const passwordLinkPurposes = ['INVITATION', 'RESET'] as const;

const purpose = z.enum(passwordLinkPurposes).meta({
  id: 'PasswordLinkPurpose',
  description: 'INVITATION: the member has no password yet. RESET: they get another one.',
});

const shared = {
  purpose: purpose.describe('INVITATION for a member without a password, RESET for others.'),
  expiresAt: z.iso.datetime().describe('When the link stops working: 72 hours after it was created.'),
};

/** A link that has just been created. Its URL cannot be retrieved later. */
const newPasswordLink = component('NewPasswordLink', 'A link with which a member sets a password, once.', {
  url: z.string().describe('Where the member sets the password. Hand it over now.'),
  ...shared,
  ...mailing,
});

/** A link as it is shown later. */
const passwordLink = component('PasswordLink', 'A link with which a member can set a password, without its URL.', {
  ...shared,
  createdAt: z.iso.datetime().describe('When the link was created.'),
});

const memberPassword = component('MemberPassword', 'Whether a member has a password, and the link to set one.', {
  isSet: z.boolean().describe('Whether the member has a password. Without one, they cannot sign in with it.'),
  link: passwordLink
    .nullable()
    .describe('The last link, unless it was used or revoked; null for none. It may have expired.'),
});

/** Links with which members set their password, part of the group `users`. */
export const passwordLinks = {
  password: {
    method: 'GET',
    path: '/users/:id/password',
    access: 'administrator',
    summary: 'Get whether a member has a password, and their link to set one',
    response: memberPassword,
  },
  createPasswordLink: {
    method: 'POST',
    path: '/users/:id/password-link',
    access: 'administrator',
    summary: 'Create a link with which a member sets a password',
    description:
      'The link works once, for 72 hours. It is in `url` of this response and cannot be retrieved later; the service also sends it by mail ' +
      'if it can. A link that was created earlier stops working, and so does this one when the member gets a new password or is ' +
      'deactivated. Only owners can create links for owners; others get 403. Returns 400 if the member is deactivated.',
    // The mail server may take its time.
    timeBudgetMs: 10_000,
    errors: ['member_deactivated'],
    status: 201,
    response: newPasswordLink,
  },
  revokePasswordLink: {
    method: 'DELETE',
    path: '/users/:id/password-link',
    access: 'administrator',
    summary: 'Revoke the link with which a member sets a password',
    description:
      'It stops working immediately. Without a link, nothing changes. Only owners can revoke links of owners.',
  },
} as const satisfies Group;
