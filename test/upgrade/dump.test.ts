import { statSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import { entities } from '@runward/server/internal/database/entities';
import { pendingMigrations } from '@runward/server/internal/database/migrate';
import test from 'ava';
import { dumps, emptyTables, readDump, tablesIn, versions } from './dump.ts';
import { migrateUp, restored } from './restored.ts';

test('there is a dump of 0.1.0, and each is small', (t) => {
  t.true(versions.includes('0.1.0'));
  for (const version of versions) t.true(statSync(join(dumps, `${version}.sql.gz`)).size < 1_000_000, version);
});

test('a dump is one of the oldest PostgreSQL that is supported, without lines that only psql understands', (t) => {
  for (const version of versions) {
    const { sql } = readDump(version);
    t.regex(sql, /^-- Dumped from database version 15\./m, version);
    t.notRegex(sql, /^\\/m, version);
  }
});

for (const version of versions) {
  test(`the dump of ${version} has rows in every table, and migrations create all tables that it lacks`, async (t) => {
    const dump = await restored(t, version);
    t.deepEqual(await emptyTables(dump.url), []);
    const tables = entities.map(({ meta }) => meta.tableName);
    const lacking = async () => {
      const existing = new Set(await withClient(dump.url, tablesIn));
      return tables.filter((table) => !existing.has(table));
    };
    const pending = await pendingMigrations(dump.url);
    if (pending.length === 0) t.deepEqual(await lacking(), [], 'make the dump again: npm run upgrade:dump');
    else t.regex(await migrateUp(dump), new RegExp(`^${pending.length} applied`, 'm'));
    t.deepEqual(await lacking(), []);
  });
}
