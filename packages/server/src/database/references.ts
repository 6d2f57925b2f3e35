import { p } from '@mikro-orm/core';

/** The table that a column refers to, and what happens to a row when the row that it refers to is deleted. */
export interface Reference {
  readonly table: string;
  readonly onDelete: 'no action' | 'cascade';
}

/**
 * A column with the id of another row. The foreign key consists of the organization and this column, or of the
 * organization alone if it refers to `organizations`. The ORM knows no relations: joins are written with Kysely, and of
 * two new rows, the one that is referred to must be flushed first.
 */
export function references(table: string, onDelete: Reference['onDelete'] = 'no action') {
  const id = p.uuid();
  Object.assign(id['~options'], { references: { table, onDelete } satisfies Reference });
  return id;
}
