/**
 * Runs a command beside a throw-away server that speaks MongoDB's wire protocol: `node scripts/with-mongo.ts COMMAND ...` starts one,
 * sets `MONGODB_TEST_URL` for the command, ends it, and exits as the command did. The server is mongo-java-server, which keeps its
 * data in memory; it needs Java 17 and Maven, which fetches it into `.runward-test` once. Where it cannot be had, the command
 * runs without, and its tests on MongoDB are skipped.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const version = 'mongo-java-server-1.47.0';
const root = dirname(import.meta.dirname);
const source = join(import.meta.dirname, 'mongo');
const cache = join(root, '.runward-test');
const startMs = 60_000;

const [command = '', ...args] = process.argv.slice(2);
if (!command) {
  console.error('Usage: node scripts/with-mongo.ts COMMAND [ARGUMENT ...]');
  process.exit(2);
}

const server = await start().catch((error: unknown) => {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  console.error(
    `The tests on MongoDB are skipped: no server for them could be started, which takes Java 17 and Maven. ${reason}`,
  );
  return null;
});
const env = server ? { ...process.env, MONGODB_TEST_URL: server.url } : process.env;
const child = spawn(command, args, { stdio: 'inherit', env });
// The command hears of an interruption itself; the server is to live until it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
const [code] = await once(child, 'exit');
if (server) {
  server.process.stdin?.end();
  if (server.process.exitCode === null) await once(server.process, 'exit');
}
process.exitCode = typeof code === 'number' ? code : 1;

async function start(): Promise<{ url: string; process: ChildProcess }> {
  const libraries = await fetchServer();
  // Its standard input is its life line: it ends with this process, also where that is killed.
  const java = spawn('java', ['-cp', join(libraries, '*'), join(source, 'Main.java')], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const failed = new Promise<never>((_, reject) => {
    java.once('error', reject);
    java.once('exit', (status) => reject(new Error(`Java ended with ${status}.`)));
  });
  failed.catch(() => {});
  const giveUp = setTimeout(() => java.kill(), startMs);
  const [url] = await Promise.race([once(createInterface(java.stdout), 'line'), failed]);
  clearTimeout(giveUp);
  console.error(`${version} serves ${String(url)}`);
  return { url: String(url), process: java };
}

/** Answers the folder of the server's jar files. */
async function fetchServer(): Promise<string> {
  const folder = join(cache, version);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  // Fetched beside its place and moved there whole: what was interrupted is not taken for complete.
  const partial = await mkdtemp(join(cache, 'fetching-'));
  try {
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${partial}`];
    await promisify(execFile)('mvn', ['-B', '-q', '-f', join(source, 'pom.xml'), ...goal], { timeout: 300_000 });
    await rename(partial, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return folder;
}
