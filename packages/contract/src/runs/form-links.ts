import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { mailing } from '../mailing.ts';
import { page, pageQuery } from '../page.ts';
import { email, id, integer, title } from '../values.ts';
import { taskRejections } from './rejections.ts';

/** The most hours that a form link works. */
const maximumHours = 720;

const shared = {
  id: id.describe('Id of the link.'),
  runTaskId: id.describe('The task in its run whose form the link opens.'),
  email: z.string().describe('Email address of the person who has the link, in lower case.'),
  userId: id.describe('The guest as whom the person fills in the form.'),
  createdByUserId: id.describe('The member who made the link.'),
  createdAt: z.iso.datetime().describe('When the link was made.'),
  expiresAt: z.iso.datetime().describe('When the link stops working.'),
  requireCode: z.boolean().describe('Whether the link opens the form only with a code that is mailed to the address.'),
};

const formLink = component('FormLink', 'A link with which a person without an account fills in a form.', {
  ...shared,
  revokedAt: z.iso.datetime().nullable().describe('When it was revoked; null if it was not.'),
  lastUsedAt: z.iso.datetime().nullable().describe('When it last opened the form; null for never.'),
});

/** A link that has just been made. Its URL cannot be retrieved later. */
const newFormLink = component('NewFormLink', 'A link with which a person fills in a form, with its URL.', {
  ...shared,
  url: z.string().describe('Where the form is. Hand it over now.'),
  ...mailing,
});

/** Links with which people without an account fill in the form of a task. Part of the group `runs.tasks`. */
export const formLinks = {
  formLinks: {
    method: 'GET',
    path: '/runs/tasks/:taskId/form-links',
    access: 'runs:read',
    summary: 'List the form links of a task, newest first',
    description: '`taskId` is a `runTaskId`. Also lists links that were revoked or have expired.',
    query: pageQuery,
    response: page(formLink),
  },
  createFormLink: {
    method: 'POST',
    path: '/runs/tasks/:taskId/form-links',
    access: 'runs:write',
    summary: 'Make a link with which a person without an account fills in a form',
    description:
      '`taskId` is a `runTaskId`. Assigns the task to a guest with this email address, who is added if there is none. The ' +
      'link opens the form as this guest, and nothing else of the run, until the link expires or is revoked, or the ' +
      'task is assigned to somebody else; with `requireCode`, it also takes a code that is mailed to this address. The URL cannot be retrieved ' +
      'later; the service also sends it by mail if it can. Returns 400 if the address belongs to a member who is not a guest, if the task ' +
      'cannot be assigned, or if a code is required and the service sends no mail.',
    body: component('CreateFormLink', 'Who fills in the form, and for how long.', {
      email: email.describe('Who gets the link. Case is ignored.'),
      name: title.optional().describe('Display name of a new guest. Default: the email address.'),
      expiresInHours: integer(1, maximumHours)
        .optional()
        .describe(`How many hours the link works, 1 to ${maximumHours}. Default: 168, a week.`),
      requireCode: z
        .boolean()
        .optional()
        .describe(
          'Whether the link asks for a 6-digit code, which is mailed to the address on request and works once, ' +
            'within 10 minutes. Needs a service that sends mail. Default: false.',
        ),
    }),
    // The mail server may take its time.
    timeBudgetMs: 10_000,
    errors: [...taskRejections, 'limit_reached', 'already_exists', 'member_deactivated'],
    status: 201,
    response: newFormLink,
  },
  revokeFormLink: {
    method: 'DELETE',
    path: '/runs/tasks/form-links/:linkId',
    access: 'runs:write',
    summary: 'Revoke a form link',
    description:
      'It stops working immediately, also for a person who has the form open. The task stays assigned. Returns 404 if it was revoked before.',
  },
} as const satisfies Group;
