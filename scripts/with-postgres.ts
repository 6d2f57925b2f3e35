/**
 * Runs a command against a throw-away PostgreSQL made from given programs: `node --conditions=@runward/source
 * scripts/with-postgres.ts BIN_FOLDER COMMAND ...` starts one there, sets `TEST_POSTGRES_URL` for the command, stops it, and exits as the command did.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@runward/testing/ports';
import { Client } from 'pg';

const [binaries = '', command = '', ...args] = process.argv.slice(2);
if (!binaries || !command) {
  console.error('Usage: node --conditions=@runward/source scripts/with-postgres.ts BIN_FOLDER COMMAND [ARGUMENT ...]');
  process.exit(2);
}

/** PostgreSQL refuses root; any other user that owns the files will do, and it needs no account. */
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const folder = mkdtempSync(join(tmpdir(), 'runward-postgres-'));
if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
const data = join(folder, 'data');
const options = { ...account, cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } };
execFileSync(
  join(binaries, 'initdb'),
  ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
  options,
);

const port = await freePort();
const log = openSync(join(folder, 'log'), 'a');
const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400'];
const server = spawn(
  join(binaries, 'postgres'),
  ['-D', data, '-h', '127.0.0.1', '-p', `${port}`, '-k', '', ...settings.flatMap((setting) => ['-c', setting])],
  { ...options, stdio: ['ignore', log, log] },
);
const ended = once(server, 'exit');

const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
console.error(await version(url));
const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, TEST_POSTGRES_URL: url } });
const [code] = await once(child, 'exit');

server.kill('SIGINT');
await ended;
rmSync(folder, { recursive: true, force: true });
process.exitCode = typeof code === 'number' ? code : 1;

async function version(connectionString: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const client = new Client({ connectionString });
    try {
      await client.connect();
      const { rows } = await client.query<{ version: string }>('select version()');
      return rows[0]?.version ?? '';
    } catch (error) {
      if (attempt === 100) throw error;
      await pause(100);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
