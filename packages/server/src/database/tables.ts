import type { InferKyselyDB } from '@mikro-orm/postgresql';
import type { ColumnType } from 'kysely';
import type { EntitySchemas } from './entities.ts';

/** Every table with its columns for Kysely, under their names in the database. Inferred from the entities. */
export type Tables = {
  [Table in keyof Inferred]: { [Column in keyof Inferred[Table]]: Stored<Inferred[Table][Column]> };
};

type Inferred = InferKyselyDB<EntitySchemas>;

type Stored<Value> = Date extends Value
  ? Timestamp<Value>
  : Buffer extends Value
    ? Buffer | Extract<Value, null>
    : Value;

/** Read as PostgreSQL's text (see `instant.ts`); written as a date or such a text. */
type Timestamp<Value> = ColumnType<string | Exclude<Value, Date>, Value | string, Value | string>;
