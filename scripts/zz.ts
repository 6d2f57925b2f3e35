import { Client } from 'pg';
import { readdirSync } from 'node:fs';
import { statementsOf } from '../packages/server/src/database/sql-migration.ts';
const c = new Client({ connectionString: process.env['TEST_POSTGRES_URL'] });
await c.connect();
await c.query('drop schema if exists celldev cascade; ');
await c.query("set citus.enable_schema_based_sharding to on");
await c.query('create schema celldev'); await c.query('set search_path to celldev');
const dir = '../packages/server/src/database/migrations/';
for (const f of readdirSync(new URL(dir, import.meta.url)).filter((x) => x.endsWith('.ts')).sort()) {
  const text = Object.values(await import(dir + f))[0] as string;
  for (const s of statementsOf(text)) try { await c.query(s); } catch (e) { console.log(f, String(e).slice(0,300), '\n   ', s.slice(0, 1500)); }
}
await c.end();
