import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id, idList, title } from '../values.ts';

const group = component('Group', 'A named set of members that tasks can be assigned to.', {
  id: id.describe('Id of the group.'),
  name: title.describe('Display name.'),
  memberIds: z.array(id).describe('Ids of its active members, sorted. Deactivated members are left out.'),
  createdAt: z.iso.datetime().describe('When the group was created.'),
});

const definition = z.strictObject({
  name: title.describe('Display name. Names need not be unique.'),
  memberIds: idList(1000)
    .optional()
    .describe('Ids of active members, at most 1,000. An update replaces the whole list. New groups: none by default.'),
});

/** Groups of members. */
export const groups = {
  list: {
    method: 'GET',
    path: '/groups',
    access: 'users:read',
    summary: 'List groups by name',
    query: pageQuery,
    response: page(group),
  },
  create: {
    method: 'POST',
    path: '/groups',
    access: 'administrator',
    summary: 'Create a group',
    body: definition.meta({ id: 'CreateGroup', description: 'A new group.' }),
    status: 201,
    response: group,
  },
  get: {
    method: 'GET',
    path: '/groups/:id',
    access: 'users:read',
    summary: 'Get a group',
    response: group,
  },
  update: {
    method: 'PATCH',
    path: '/groups/:id',
    access: 'administrator',
    summary: 'Rename a group or replace its members',
    description: 'Properties that are left out do not change.',
    body: definition.partial().meta({ id: 'UpdateGroup', description: 'Changes to a group.' }),
    response: group,
  },
  delete: {
    method: 'DELETE',
    path: '/groups/:id',
    access: 'administrator',
    summary: 'Delete a group',
    description:
      'Returns 400 if open tasks are assigned to the group, if the draft or published version of a template assigns tasks to it, or if ' +
      'active runs follow a version whose approvals or rules name it. Completed tasks keep its id.',
    errors: ['in_use'],
  },
} as const satisfies Group;
