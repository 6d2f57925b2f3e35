import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import { inSchema } from '@runward/server/internal/settings/database-schema';
import { DatabaseError } from 'pg';
import { startProxy, type TcpProxy } from './tcp-proxy.ts';

/** A database that one test file has for itself. */
export interface TestDatabase {
  readonly url: string;
  /** Deletes the database, closing whatever is still connected to it. */
  drop(): Promise<void>;
}

/** If `true`, a cell is created for each test file that asks for a database. */
export const cellsVariable = 'TEST_CELLS';

/** The URL of a pooler, if tests reach their databases through one. */
export const poolerVariable = 'TEST_POOLER_URL';

const OBJECT_IN_USE = '55006';
const ATTEMPTS = 20;

/**
 * Creates an empty migrated database by cloning the template that `npm test` prepared. `empty` creates one without
 * tables, and `encoding` one that has an encoding and the letters of ASCII. On Citus, a schema of the one database
 * stands for it.
 */
export async function createDatabase({ empty = false, encoding = '' } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  if (process.env[cellsVariable] === 'true') return createCell(name, empty);
  const ascii = encoding && ` encoding ${encoding} locale_provider libc locale 'C'`;
  const template = (empty || encoding ? 'template0' : setting('TEST_TEMPLATE_DATABASE')) + ascii;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await asAdmin(`create database ${name} template ${template}`);
      break;
    } catch (error) {
      // A template can be cloned only while nobody is connected to it. Another clone also connects for a moment.
      if (!(error instanceof DatabaseError && error.code === OBJECT_IN_USE) || attempt === ATTEMPTS) throw error;
      await sleep(50 * attempt);
    }
  }
  const url = new URL(process.env[poolerVariable] ?? setting('TEST_DATABASE_URL'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asAdmin(`drop database if exists ${name} with (force)`) };
}

async function createCell(name: string, empty: boolean): Promise<TestDatabase> {
  const url = inSchema(setting('TEST_DATABASE_URL'), name);
  if (empty) await asAdmin(`create schema ${name}`);
  else {
    // It loads much of the server, which other callers do without.
    const { migrate } = await import('@runward/server/internal/database/migrate');
    await migrate(url);
  }
  return { url, drop: () => asAdmin(`drop schema if exists ${name} cascade`) };
}

/** A proxy in front of the PostgreSQL at a URL, and the URL of the proxy. */
export async function startDatabaseProxy(url: string): Promise<{ url: string; proxy: TcpProxy }> {
  const { hostname, port, searchParams } = new URL(url);
  const sockets = searchParams.get('host');
  const path = `${sockets}/.s.PGSQL.${port}`;
  const proxy = await startProxy(sockets === null ? { host: hostname, port: Number(port) } : { path });
  const through = new URL(url);
  through.searchParams.delete('host');
  return { proxy, url: Object.assign(through, { hostname: '127.0.0.1', port: proxy.port }).href };
}

async function asAdmin(statement: string): Promise<void> {
  await withClient(setting('TEST_DATABASE_URL'), (client) => client.query(statement));
}

function setting(name: 'TEST_DATABASE_URL' | 'TEST_TEMPLATE_DATABASE'): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: this test needs a database. Run it with: npm test -- FILE`);
  return value;
}
