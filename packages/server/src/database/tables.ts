import type { InferKyselyDB } from '@mikro-orm/postgresql';
import type { ColumnType } from 'kysely';
import type { EntitySchemas } from './entities.ts';

/** Every table with its columns as Kysely sees them, by the names they have in the database; inferred from the entities. */
export type Tables = {
  [Table in keyof Inferred]: { [Column in keyof Inferred[Table]]: Stored<Inferred[Table][Column]> };
};

type Inferred = InferKyselyDB<EntitySchemas>;

type Stored<Value> = Date extends Value
  ? Timestamp<Value>
  : Buffer extends Value
    ? Buffer | Extract<Value, null>
    : Value;

/** Read as the text that PostgreSQL writes (see `instant.ts`); written as a date or such a text. */
type Timestamp<Value> = ColumnType<string | Exclude<Value, Date>, Value | string, Value | string>;
