/**
 * Runs a command against a throw-away PostgreSQL: `node --conditions=@runward/source scripts/with-postgres.ts
 * BIN_FOLDER COMMAND ...`. Starts the PostgreSQL whose programs are in BIN_FOLDER, sets `TEST_POSTGRES_URL` for the
 * command, stops the server, and exits like the command.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@runward/testing/ports';
import { until } from '@runward/testing/until';
import { Client } from 'pg';
import { runBeside, type Server } from './beside.ts';

const [binaries = '', ...command] = process.argv.slice(2);

/** PostgreSQL does not run as root. Any other user id that owns the files works, even without an account. */
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

await runBeside(startPostgres, command);

async function startPostgres(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'runward-postgres-'));
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const options = { ...account, cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } };
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'],
    options,
  );

  const port = await freePort();
  const log = openSync(join(folder, 'log'), 'a');
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400'];
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-h', '127.0.0.1', '-p', `${port}`, '-k', '', ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: ['ignore', log, log], detached: true },
  );
  const ended = once(server, 'exit');

  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  console.error(await until(() => version(url), `PostgreSQL to accept connections; see ${folder}/log`, 30));
  return {
    env: { TEST_POSTGRES_URL: url },
    stop: async () => {
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The version of a server; null while it does not accept connections. */
async function version(connectionString: string): Promise<string | null> {
  const client = new Client({ connectionString });
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>('select version()');
    return rows[0]?.version ?? null;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}
