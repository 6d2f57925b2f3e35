import type { Config } from '../../config.ts';
import { closeDatabase } from '../../database/close-database.ts';
import { openDatabase } from '../../database/database.ts';
import { migrationNames } from '../../database/migrate.ts';
import { pendingIn, readSchema, schemaProblem, type Schema } from '../../database/schema-problem.ts';
import { sampleOrganizations } from '../../organization/queries/sample-organizations.ts';
import { numberOf } from '../../words.ts';
import { examine, findingOf, type Finding } from '../part.ts';
import { readerOf, type DataContext } from './context.ts';
import { dataParts } from './parts.ts';

/** How much is read, and whom to tell what is being read. */
export interface DataOptions {
  /** How many organizations, and how many of their runs and files, at most. */
  readonly sample: number;
  readonly onPart: (name: string) => void;
}

/** What was found in a database. */
export interface DataFindings {
  readonly findings: readonly Finding[];
  /** Whether this program must not use the database, because it is of another version or program. */
  readonly isOtherVersion: boolean;
}

/** A statement over all runs of a large organization takes longer than those of requests. */
const statementMs = 60_000;
const partMs = 120_000;

/** Reads the database at a URL, one part after the other, and changes nothing. Never throws. */
export async function examineData(config: Config, url: string, options: DataOptions): Promise<DataFindings> {
  const database = await openDatabase(url, {
    // One connection is for the ORM, which looks for the database before its first statement.
    poolSize: 2,
    timeouts: { statement_timeout: statementMs, query_timeout: statementMs + 5_000 },
  });
  try {
    return await examineWith(config, readerOf(database), options);
  } finally {
    await closeDatabase(database);
  }
}

async function examineWith(
  config: Config,
  read: DataContext['read'],
  { sample: most, onPart }: DataOptions,
): Promise<DataFindings> {
  onPart('database');
  try {
    const unread = whyUnread(await read((em) => readSchema((text) => em.execute(text))), config);
    if (unread !== null) return unread;
    const sample = await read((em) => sampleOrganizations(em, most));
    const findings: Finding[] = [];
    for (const part of dataParts({ config, read, sample })) {
      onPart(part.name);
      findings.push(await examine(part, partMs));
    }
    return { findings, isOtherVersion: false };
  } catch (error) {
    const finding = findingOf({ name: 'data', remedy: 'nothing was read; see the line of the database' }, error);
    return { findings: [finding], isOtherVersion: false };
  }
}

/** Why the statements of this program cannot read a database. */
function whyUnread(schema: Schema, { migrateOnStart }: Config): DataFindings | null {
  if (schemaProblem(schema, migrationNames) !== null) {
    return { ...notRead('OFF', 'the database is of another version or program'), isOtherVersion: true };
  }
  const pending = pendingIn(schema, migrationNames).length;
  if (pending === 0) return null;
  if (pending === migrationNames.length) return notRead('OFF', 'the database is empty');
  const reason = `the database lacks ${numberOf(pending, 'migration')}; run "runward-admin migrate --up", or start the service`;
  return { ...notRead('WARNING', reason), isOtherVersion: !migrateOnStart };
}

function notRead(status: Finding['status'], reason: string): DataFindings {
  return { findings: [{ name: 'data', status, message: `not read, because ${reason}` }], isOtherVersion: false };
}
