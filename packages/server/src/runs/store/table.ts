import {
  BigIntType,
  BooleanType,
  DateTimeType,
  DateType,
  DoubleType,
  IntegerType,
  JsonType,
  SmallIntType,
  TextType,
  UuidType,
} from '@mikro-orm/core';
import type { EntitySchemaWithMeta, InferKyselyDB } from '@mikro-orm/postgresql';
import type { Selectable } from 'kysely';
import { columnOf } from '../../database/columns.ts';
import { instantOrNull } from '../../database/instant.ts';

/** A row of an entity's table by property names. Timestamps are ISO 8601 text, as in the engine. */
export type Row<Schema extends EntitySchemaWithMeta> = {
  [Property in keyof Stored<Schema>]: Date extends Stored<Schema>[Property]
    ? Exclude<Stored<Schema>[Property], Date> | string
    : Stored<Schema>[Property];
};

type Stored<Schema extends EntitySchemaWithMeta> = Selectable<Tables<Schema>[keyof Tables<Schema>]>;

type Tables<Schema extends EntitySchemaWithMeta> = InferKyselyDB<Schema, { columnNamingStrategy: 'property' }>;

/** A table that an entity declares. Columns are in the order of the entity's properties. */
export interface Table<TableRow> {
  readonly name: string;
  readonly columns: readonly Column<TableRow>[];
}

/** A column and the property that holds it. */
export interface Column<TableRow> {
  readonly property: keyof TableRow & string;
  readonly name: string;
  /** The SQL type. */
  readonly type: string;
  readonly isKey: boolean;
  readonly isTimestamp: boolean;
  readonly isRequiredJson: boolean;
}

/** The SQL types of properties. Enums are not listed here and are text. */
const sqlTypes = new Map<unknown, string>([
  [undefined, 'text'],
  [TextType, 'text'],
  [UuidType, 'uuid'],
  [BooleanType, 'boolean'],
  [SmallIntType, 'smallint'],
  [IntegerType, 'int'],
  [DoubleType, 'double precision'],
  [BigIntType, 'bigint'],
  [DateType, 'date'],
  [DateTimeType, 'timestamptz'],
  [JsonType, 'jsonb'],
]);

/** The table of an entity. */
export function tableOf<Schema extends EntitySchemaWithMeta>({ meta }: Schema): Table<Row<Schema>> {
  const columns = Object.entries(meta.properties).map(([property, options]): Column<Row<Schema>> => {
    const { primary, nullable, type } = options as PropertyOptions;
    return {
      property: property as Column<Row<Schema>>['property'],
      name: columnOf(property),
      type: sqlTypeOf(type, property),
      isKey: primary === true,
      isTimestamp: type === DateTimeType,
      isRequiredJson: type === JsonType && nullable !== true,
    };
  });
  return { name: meta.tableName, columns };
}

function sqlTypeOf(type: unknown, property: string): string {
  const sqlType = sqlTypes.get(typeof type === 'object' ? type?.constructor : type);
  if (sqlType === undefined) throw new Error(`The type of the property ${property} is not in sqlTypes.`);
  return sqlType;
}

/** The columns of a table with an alias, each named like its property: `task.due_at as "dueAt"`. */
export function columnsOf<TableRow>({ columns }: Table<TableRow>, alias: string): string {
  return columns.map(({ property, name }) => `${alias}.${name} as "${property}"`).join(', ');
}

/**
 * Converts a row that PostgreSQL returned as JSON, with columns named like the properties, to the engine's format.
 * Changes the object.
 */
export function fromJson<TableRow>({ columns }: Table<TableRow>, json: TableRow): TableRow {
  for (const { property, isTimestamp } of columns) {
    if (isTimestamp) Object.assign(json as object, { [property]: instantOrNull(json[property] as string | null) });
  }
  return json;
}

/**
 * A row by the names of its columns, as `json_populate_record` of PostgreSQL reads it. Omits values that are the same
 * in `base`, if that is given.
 */
export function recordOf<TableRow>(
  { columns }: Table<TableRow>,
  row: Partial<TableRow>,
  base?: Partial<TableRow>,
): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const { property, name } of columns) if (row[property] !== base?.[property]) record[name] = row[property];
  return record;
}

/** A value of a column as the parameter of a statement. */
export function parameterOf<TableRow>({ property, type }: Column<TableRow>, row: Partial<TableRow>): unknown {
  const value = row[property] ?? null;
  return type === 'jsonb' && value !== null ? JSON.stringify(value) : value;
}

/** The options of a property before the ORM has read the entity. */
interface PropertyOptions {
  readonly primary?: boolean;
  readonly nullable?: boolean;
  readonly type?: unknown;
}
