import { UnderscoreNamingStrategy, type InferEntity } from '@mikro-orm/core';
import type { EntitySchemas } from './entities.ts';

const naming = new UnderscoreNamingStrategy();

/** The name of the column that holds a property of an entity. */
export function columnOf(property: string): string {
  return naming.propertyToColumnName(property);
}

/** The select list of a hand-written statement, with columns named like properties: `run.public_id as "publicId"`. */
export function selectList<Schema extends EntitySchemas>(
  _schema: Schema,
  alias: string,
  properties: readonly Extract<keyof InferEntity<Schema>, string>[],
): string {
  return properties.map((property) => `${alias}.${columnOf(property)} as "${property}"`).join(', ');
}
