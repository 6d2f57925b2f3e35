import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id, title } from '../values.ts';

const folder = component('Folder', 'A folder of templates.', {
  id: id.describe('Id of the folder.'),
  name: title.describe('Display name.'),
  templateCount: z
    .int()
    .min(0)
    .describe('Templates in the folder, without those outside the resource scope of the API key.'),
  createdAt: z.iso.datetime().describe('When the folder was created.'),
});

const definition = z.strictObject({ name: title.describe('Display name. Names need not be unique.') });

/**
 * Folders of templates. A template names its folder in `folderId`; `GET /templates?folderId=` lists the templates of a
 * folder.
 */
export const folders = {
  list: {
    method: 'GET',
    path: '/folders',
    access: 'templates:read',
    summary: 'List folders by name',
    description:
      'A key with SELECTED_TEMPLATES sees the folders of its templates, one with SELECTED_FOLDERS its folders.',
    query: pageQuery,
    response: page(folder),
  },
  create: {
    method: 'POST',
    path: '/folders',
    access: 'templates:write',
    summary: 'Create a folder',
    description: 'Returns 403 for API keys with a resource mode other than ALL.',
    body: definition.meta({ id: 'CreateFolder', description: 'A new folder.' }),
    status: 201,
    response: folder,
  },
  get: {
    method: 'GET',
    path: '/folders/:id',
    access: 'templates:read',
    summary: 'Get a folder',
    response: folder,
  },
  update: {
    method: 'PATCH',
    path: '/folders/:id',
    access: 'templates:write',
    summary: 'Rename a folder',
    description: 'Returns 403 for API keys with the resource mode SELECTED_TEMPLATES.',
    body: definition.meta({ id: 'UpdateFolder', description: 'Changes to a folder.' }),
    response: folder,
  },
  delete: {
    method: 'DELETE',
    path: '/folders/:id',
    access: 'templates:write',
    summary: 'Delete an empty folder',
    description:
      'Returns 400 if the folder contains templates, and 403 for API keys with the resource mode SELECTED_TEMPLATES.',
    errors: ['in_use'],
  },
} as const satisfies Group;
