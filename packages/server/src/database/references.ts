import { p } from '@mikro-orm/core';

/** The table whose rows a column names, and what happens to a row when the one that it names is deleted. */
export interface Reference {
  readonly table: string;
  readonly onDelete: 'no action' | 'cascade';
}

/**
 * A column with the id of another row: a foreign key of the organization and this column; of the organization alone if it names
 * `organizations`. The ORM knows no relations: joins are written in Kysely, and of two new rows the one that is named is flushed first.
 */
export function references(table: string, onDelete: Reference['onDelete'] = 'no action') {
  const id = p.uuid();
  Object.assign(id['~options'], { references: { table, onDelete } satisfies Reference });
  return id;
}
