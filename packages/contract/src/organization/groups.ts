import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id, idList, title } from '../values.ts';

/** A named set of members that tasks can be assigned to. */
export const group = z
  .strictObject({
    id,
    name: title,
    memberIds: z.array(id).meta({ description: 'Active members, by id.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Group' });

const definition = z.strictObject({
  name: title,
  memberIds: idList(1000).optional().meta({ description: 'Replaces the members. Default: none.' }),
});

/** Groups of members. */
export const groups = {
  list: {
    method: 'GET',
    path: '/groups',
    access: 'users:read',
    summary: 'List groups by name',
    query: pageQuery,
    status: 200,
    response: page(group),
  },
  create: {
    method: 'POST',
    path: '/groups',
    access: 'administrator',
    summary: 'Create a group',
    body: definition,
    status: 201,
    response: group,
  },
  get: {
    method: 'GET',
    path: '/groups/:id',
    access: 'users:read',
    summary: 'Get a group',
    status: 200,
    response: group,
  },
  update: {
    method: 'PATCH',
    path: '/groups/:id',
    access: 'administrator',
    summary: 'Rename a group or replace its members',
    body: definition.partial(),
    status: 200,
    response: group,
  },
  remove: {
    method: 'DELETE',
    path: '/groups/:id',
    access: 'administrator',
    summary: 'Delete a group',
    description: 'Answers 400 while open tasks, or drafts or published versions of templates, are assigned to it.',
    status: 204,
  },
} as const satisfies Group;
