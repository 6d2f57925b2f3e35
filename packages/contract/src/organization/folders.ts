import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id, title } from '../values.ts';

/** A folder of templates. */
export const folder = z
  .strictObject({
    id,
    name: title,
    templateCount: z.int().meta({ description: 'Templates inside that the caller reaches.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Folder' });

const definition = z.strictObject({ name: title });

/** Folders; a template lies in one by its `folderId`, and `GET /templates?folderId=` lists what is inside. */
export const folders = {
  list: {
    method: 'GET',
    path: '/folders',
    access: 'templates:read',
    summary: 'List folders by name',
    query: pageQuery,
    status: 200,
    response: page(folder),
  },
  create: {
    method: 'POST',
    path: '/folders',
    access: 'templates:write',
    summary: 'Create a folder',
    body: definition,
    status: 201,
    response: folder,
  },
  get: {
    method: 'GET',
    path: '/folders/:id',
    access: 'templates:read',
    summary: 'Get a folder',
    status: 200,
    response: folder,
  },
  update: {
    method: 'PATCH',
    path: '/folders/:id',
    access: 'templates:write',
    summary: 'Rename a folder',
    body: definition,
    status: 200,
    response: folder,
  },
  remove: {
    method: 'DELETE',
    path: '/folders/:id',
    access: 'templates:write',
    summary: 'Delete an empty folder',
    description: 'Answers 400 while templates lie in it.',
    status: 204,
  },
} as const satisfies Group;
