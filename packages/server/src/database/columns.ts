import type { InferEntity } from '@mikro-orm/core';
import { Naming } from './discovery.ts';
import type { EntitySchemas } from './entities.ts';

/** A property of an entity. */
export type PropertyOf<Schema extends EntitySchemas> = Extract<keyof InferEntity<Schema>, string>;

const naming = new Naming();

/** The column that a property of an entity is stored in. Throws for a relation, which has no column. */
export function columnOf<Schema extends EntitySchemas>(schema: Schema, property: PropertyOf<Schema>): string {
  const definition = schema.meta.properties[property as never] as { readonly persist?: boolean } | undefined;
  if (!definition || definition.persist === false)
    throw new Error(`${schema.meta.className}.${property} has no column.`);
  return naming.propertyToColumnName(property);
}

/** Columns for the select list of a hand-written statement, under the names of their properties: `run.public_id as "publicId"`. */
export function selectList<Schema extends EntitySchemas>(
  schema: Schema,
  alias: string,
  properties: readonly PropertyOf<Schema>[],
): string {
  return properties.map((property) => `${alias}.${columnOf(schema, property)} as "${property}"`).join(', ');
}
