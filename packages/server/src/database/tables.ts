import type { InferKyselyDB } from '@mikro-orm/postgresql';
import type { ColumnType } from 'kysely';
import type { EntitySchemas } from './entities.ts';

/** Every table with its columns as Kysely sees them, by the names they have in the database; inferred from the entities. */
export type Tables = {
  [Table in keyof Inferred]: { [Column in keyof Inferred[Table]]: Stored<Inferred[Table][Column]> };
};

type Inferred = InferKyselyDB<EntitySchemas>;

/** A timestamp is read as the text that PostgreSQL writes (see `instant.ts`), and written as a date or such a text. */
type Stored<Value> = Date extends Value
  ? ColumnType<string | Exclude<Value, Date>, Value | string, Value | string>
  : Value;
