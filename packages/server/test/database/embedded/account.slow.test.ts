import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { newDataFolder } from '@runward/testing/data-folder';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { canEnter, giveFolder, newAccount } from '../../../src/database/embedded/account.ts';
import { startEmbeddedPostgres } from '../../../src/database/embedded/postgres.ts';

const testAsRoot = process.getuid?.() === 0 ? test : test.skip;
const nobody = { uid: 65_534, gid: 65_534 };

async function newFolder(t: ExecutionContext): Promise<string> {
  const folder = await newDataFolder();
  t.teardown(() => folder[Symbol.asyncDispose]());
  return folder.path;
}

const start = (dataDir: string, log: string[] = []) =>
  startEmbeddedPostgres({ dataDir, durable: false, log: (line) => log.push(line) });

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The user and group ids that own the files of a folder, and the folder. */
async function ownersOf(folder: string): Promise<Set<string>> {
  const owners = new Set<string>();
  for (const entry of ['', ...(await readdir(folder, { recursive: true }))]) {
    const { uid, gid } = await stat(join(folder, entry));
    owners.add(`${uid}:${gid}`);
  }
  return owners;
}

/** The user id that a process runs as. */
async function uidOf(pid: number): Promise<number> {
  return Number(/^Uid:\t(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

testAsRoot('started by root, PostgreSQL runs as a high uid of its own, which keeps its files private', async (t) => {
  const dataDir = await newFolder(t);
  const pgdata = join(dataDir, 'postgres');
  const first = await start(dataDir);
  const { uid, gid, mode } = await stat(pgdata);
  t.true(uid >= 60_706 && uid !== nobody.uid, String(uid));
  t.is(await uidOf(first.pid), uid);
  t.is(mode & 0o777, 0o700);
  t.is((await stat(join(pgdata, 'runward-password'))).mode & 0o777, 0o600);
  t.deepEqual(await ownersOf(pgdata), new Set([`${uid}:${gid}`]));
  t.deepEqual([await canEnter({ uid, gid }, pgdata), await canEnter(nobody, pgdata)], [true, false]);
  await first.stop();

  await using second = await start(dataDir);
  t.is(await uidOf(second.pid), uid);
});

testAsRoot('database files that belong to uid 65534 get an owner of their own and keep their data', async (t) => {
  const dataDir = await newFolder(t);
  const pgdata = join(dataDir, 'postgres');
  const before = await start(dataDir);
  await query(before.url('postgres'), `create table note as select 'kept' as text`);
  await before.stop();
  await giveFolder(nobody, pgdata);

  const log: string[] = [];
  await using after = await start(dataDir, log);
  const uid = await uidOf(after.pid);
  t.not(uid, nobody.uid);
  t.true(
    log.some((line) => line.includes(`now belong to uid ${uid} instead of 65534`)),
    log.join('\n'),
  );
  t.deepEqual(await ownersOf(pgdata), new Set([`${uid}:${uid}`]));
  t.deepEqual(await query(after.url('postgres'), 'select text from note'), [{ text: 'kept' }]);
});

testAsRoot('two data folders have different accounts', async (t) => {
  const [one, other] = [await newAccount(), await newAccount()];
  t.not(one.uid, other.uid);
  t.is(one.uid, one.gid);
});
