import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id } from '../values.ts';

const grant = component('Grant', 'A template or a folder that a member or a group has access to.', {
  id: id.describe('Id of the grant.'),
  userId: id.nullable().describe('The member who has access; null for a group.'),
  groupId: id.nullable().describe('The group whose members have access; null for a member.'),
  templateId: id.nullable().describe('The template; null for a folder.'),
  folderId: id.nullable().describe('The folder, with all templates in it; null for a template.'),
  createdAt: z.iso.datetime().describe('When it was granted.'),
});

const filter = (what: string) => id.optional().describe(`Only grants ${what}. Default: all.`);

/** What members whose resource mode is GRANTED have access to. It makes no difference for others. */
export const grants = {
  list: {
    method: 'GET',
    path: '/grants',
    access: 'administrator',
    summary: 'List grants, newest first',
    query: pageQuery.extend({
      userId: filter('to this member'),
      groupId: filter('to this group'),
      templateId: id.optional().describe('Only grants of this template; 404 if there is none. Default: all.'),
      folderId: filter('of this folder'),
    }),
    errors: ['not_found'],
    response: page(grant),
  },
  create: {
    method: 'POST',
    path: '/grants',
    access: 'administrator',
    summary: 'Grant access to a template or a folder',
    description:
      'A member whose resource mode is GRANTED has access to the templates and folders that are granted to them or to one of their ' +
      'groups, with everything that belongs to them. Returns the existing grant if there is one.',
    body: z
      .strictObject({
        userId: id.optional().describe('An active member. Either this or `groupId`.'),
        groupId: id.optional().describe('A group. Either this or `userId`.'),
        templateId: id.optional().describe('A template. Either this or `folderId`.'),
        folderId: id.optional().describe('A folder. Either this or `templateId`.'),
      })
      .refine(
        ({ userId, groupId }) => (userId === undefined) !== (groupId === undefined),
        'needs either userId or groupId',
      )
      .refine(
        ({ templateId, folderId }) => (templateId === undefined) !== (folderId === undefined),
        'needs either templateId or folderId',
      )
      .meta({ id: 'CreateGrant', description: 'Who gets access to what.' }),
    status: 201,
    response: grant,
  },
  delete: {
    method: 'DELETE',
    path: '/grants/:id',
    access: 'administrator',
    summary: 'Revoke a grant',
    description: 'The next request of the member no longer has access.',
  },
} as const satisfies Group;
