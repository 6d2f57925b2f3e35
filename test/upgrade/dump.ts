import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import type { Ids } from '@runward/server/test-support/world/world';
import type { Client } from 'pg';
import type { FilledIds } from './fill.ts';

/** The folder of the dumps. */
export const dumps = join(import.meta.dirname, 'dumps');

/** What belongs to a dump and is not in its database: keys, what to look for, and the files of `DATA_DIR/files`. */
export interface Keys {
  readonly version: string;
  readonly organizationId: string;
  readonly ownerUserId: string;
  readonly ownerEmail: string;
  readonly ownerPassword: string;
  readonly apiKey: string;
  /** With which deliveries are signed. */
  readonly signingSecret: string;
  readonly ids: Pick<Ids, 'template' | 'run' | 'runTask' | 'file' | 'webhook' | 'portal' | 'dataSource'> & FilledIds;
  /** The content by path, as base64. */
  readonly files: Readonly<Record<string, string>>;
}

/** A dump of a version. */
export interface Dump {
  readonly keys: Keys;
  /** Statements that need no psql. */
  readonly sql: string;
}

/** What keys begin with. In a file, it makes scanners of repositories report a secret. */
const prefix = 'sk_live_';

/** The versions of which there are dumps, oldest first. */
export const versions = globSync('*.sql.gz', { cwd: dumps })
  .map((name) => name.replace('.sql.gz', ''))
  .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));

/** Reads the dump of a version. */
export function readDump(version: string): Dump {
  const keys = JSON.parse(readFileSync(join(dumps, `${version}.json`), 'utf8')) as Keys;
  const sql = gunzipSync(readFileSync(join(dumps, `${version}.sql.gz`))).toString();
  return { sql, keys: { ...keys, apiKey: prefix + keys.apiKey } };
}

/** Writes the dump of a version. */
export function writeDump({ keys, sql }: Dump): void {
  mkdirSync(dumps, { recursive: true });
  const inFile = { ...keys, apiKey: keys.apiKey.slice(prefix.length) };
  writeFileSync(join(dumps, `${keys.version}.json`), `${JSON.stringify(inFile, null, 2)}\n`);
  writeFileSync(join(dumps, `${keys.version}.sql.gz`), gzipSync(sql, { level: 9 }));
}

/** Restores a dump into an empty database and a data folder. */
export async function restore({ keys, sql }: Dump, url: string, dataDir: string): Promise<void> {
  await withClient(url, (client) => client.query(sql));
  for (const [path, content] of Object.entries(keys.files)) {
    const target = join(dataDir, 'files', path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, Buffer.from(content, 'base64'));
  }
}

/** Has rows only while an organization moves from this cell to another one, which it cannot do alone. */
const momentary = 'organization_moves';

/** The tables of a database without rows, except those that have them for moments only. */
export async function emptyTables(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const empty: string[] = [];
    for (const name of await tablesIn(client)) {
      const { rowCount } = await client.query(`select from ${name} limit 1`);
      if (rowCount === 0 && name !== momentary) empty.push(name);
    }
    return empty;
  });
}

/** The names of all tables of a database. */
export async function tablesIn(client: Client): Promise<string[]> {
  const text = `select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  return (await client.query<{ name: string }>(text)).rows.map(({ name }) => name);
}
