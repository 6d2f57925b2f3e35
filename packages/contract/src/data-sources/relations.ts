import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { id } from '../values.ts';

const link = {
  columnId: id.describe('A RELATION column of the data source.'),
  fromRowId: id.describe('A row of the data source.'),
  toRowId: id.describe('A row of the data source that the column links to.'),
};

/** Links between rows (spec: Data sources). */
export const dataSourceRelations = {
  link: {
    method: 'POST',
    path: '/data-sources/:id/relations',
    serial: true,
    access: 'data-sources:write',
    summary: 'Link two rows',
    description:
      'Linking the same rows again changes nothing. Returns 400 if the column is not a RELATION column of the data source, a row is not in ' +
      'its data source, or the row already has a link in a column that allows only one.',
    body: component('LinkRows', 'The rows to link.', link),
    status: 201,
    response: component('Link', 'A link between two rows.', link),
  },
  unlink: {
    method: 'DELETE',
    path: '/data-sources/:id/relations',
    serial: true,
    access: 'data-sources:write',
    summary: 'Remove a link',
    description: 'Returns 404 if there is no such link.',
    body: component('UnlinkRows', 'The link to remove.', link),
  },
} as const satisfies Group;
