import type { Config } from '../../config.ts';
import type { Database, Em } from '../../database/database.ts';
import { readOnly } from '../../database/inspect/read-only.ts';
import type { Sample } from '../../database/inspect/sample.ts';

/** What the parts that read the database get. */
export interface DataContext {
  readonly config: Config;
  /** Reads one state of the database, and cannot change it. */
  read<Result>(work: (em: Em) => Promise<Result>): Promise<Result>;
  /** Which organizations, and how many of their records, are read. */
  readonly sample: Sample;
}

/** How parts read a database. */
export function readerOf(database: Database): DataContext['read'] {
  return (work) => readOnly(database, work);
}
