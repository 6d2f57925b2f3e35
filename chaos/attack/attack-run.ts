import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@runward/sdk';
import { openDatabase } from '@runward/server/internal/database/database';
import { ensureDatabase, startEmbeddedPostgres } from '@runward/server/internal/database/embedded/postgres';
import { migrate } from '@runward/server/internal/database/migrate';
import { startChild, untilServing } from '@runward/testing/child';
import { percentile } from '@runward/testing/measuring/percentile';
import { freePort } from '@runward/testing/ports';
import { provisionIn } from '@runward/testing/provision';
import type { AttackJob, Wave } from './attacker.ts';
import { lostRuns, startNeighbor, type Seen } from './neighbor.ts';
import { watchProcess, type Peaks } from './watch-process.ts';

/** The options of an attack. Times are in milliseconds. */
export interface AttackOptions {
  readonly folder: string;
  readonly started: AsyncDisposableStack;
  /** How long the neighbor works alone, for comparison. */
  readonly aloneMs: number;
  /** How long the attacks last, all in all. */
  readonly durationMs: number;
  /** After how many attacks they end earlier. Default: never. */
  readonly count?: number;
  /** How long one attack lasts before the next begins. */
  readonly attackMs: number;
  /** How many keys the attacker has: its rate limits are this many times the defaults. */
  readonly keys: number;
  /** Only the attacks whose names contain this text. */
  readonly only: string;
  readonly log: (line: string) => void;
}

/** The outcome of an attack. */
export interface AttackResult {
  /** The memory of the heap of the service, in megabytes. */
  readonly heapLimitMb: number;
  readonly peaks: Peaks;
  /** How the process of the service has ended; null if it still served at the end. */
  readonly end: string | null;
  readonly alone: Seen;
  /** What the neighbor saw, by attack. */
  readonly beside: ReadonlyMap<string, Seen>;
  /** What the attacker got, by attack. */
  readonly waves: readonly Wave[];
  /** The number of runs that the neighbor has completed, by the responses, and those of them that are not. */
  readonly completed: number;
  readonly lost: readonly string[];
}

const heapLimitMb = 256;
const defaults = { writes: 300, reads: 1_500 };

/** Starts the service as `npm start` does, with an attacker and a neighbor in it, and attacks. */
export async function attack(options: AttackOptions): Promise<AttackResult> {
  const { started, log, durationMs, count = Infinity, aloneMs, attackMs, only } = options;
  const { service, keys } = await startService(options);
  const watch = watchProcess(service);
  const neighbor = await startNeighbor(service.baseUrl, keys.neighbor);
  log(`alone for ${aloneMs / 1_000} s`);
  // Until the code is compiled.
  await pause(aloneMs / 4);
  neighbor.seen();
  await pause(aloneMs);
  const alone = neighbor.seen();

  const attacker = started.use(startChild('chaos/attack/attacker.ts', { cwd: options.folder }));
  const beside = new Map<string, Seen>();
  const waves: Wave[] = [];
  const counted = Promise.withResolvers<void>();
  attacker.process.on('message', (wave: Wave) => {
    const { attack: name, statuses } = wave;
    const { milliseconds, failures } = neighbor.seen();
    const before = beside.get(name) ?? { milliseconds: [], failures: [] };
    beside.set(name, {
      milliseconds: [...before.milliseconds, ...milliseconds],
      failures: [...before.failures, ...failures],
    });
    waves.push(wave);
    if (waves.length >= count) counted.resolve();
    log(
      `${name}: ${JSON.stringify(statuses)}; neighbor p95 ${percentile95(milliseconds).toFixed(0)} ms, ${failures.length} failures`,
    );
  });
  attacker.process.send({ baseUrl: service.baseUrl, apiKey: keys.attacker, attackMs, only } satisfies AttackJob);
  await Promise.race([pause(durationMs, undefined, { ref: false }), counted.promise, service.ended, attacker.lost]);
  await attacker.stop();
  await neighbor.stop();
  const { peaks, end } = await watch.stop();
  const api = createClient({ baseUrl: service.baseUrl, apiKey: keys.neighbor });
  const lost = end === null ? await lostRuns(api, neighbor.completed) : [];
  return { heapLimitMb, peaks, end, alone, beside, waves, completed: neighbor.completed.length, lost };
}

async function startService({ folder, started, keys: attackerKeys }: AttackOptions) {
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  started.defer(() => postgres.stop());
  const databaseUrl = postgres.url('attack');
  await ensureDatabase(databaseUrl);
  await migrate(databaseUrl);
  const keys = await newKeys(databaseUrl);
  const port = await freePort();
  const child = startChild('packages/server/src/bin.ts', {
    flags: [`--max-old-space-size=${heapLimitMb}`, '--max-semi-space-size=4'],
    cwd: folder,
    logFile: join(folder, 'service.log'),
    env: {
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      HOST: '127.0.0.1',
      PORT: String(port),
      RATE_LIMIT_WRITES_PER_MINUTE: String(defaults.writes * attackerKeys),
      RATE_LIMIT_READS_PER_MINUTE: String(defaults.reads * attackerKeys),
    },
  });
  const service = { ...started.use(child), baseUrl: `http://127.0.0.1:${port}` };
  await untilServing(`${service.baseUrl}/health/ready`, service);
  return { service, keys };
}

async function newKeys(databaseUrl: string) {
  const database = await openDatabase(databaseUrl);
  try {
    const { organization } = provisionIn(database);
    const [attacker, neighbor] = [await organization('ENTERPRISE', 'UTC'), await organization('ENTERPRISE', 'UTC')];
    return { attacker: attacker.apiKey, neighbor: neighbor.apiKey };
  } finally {
    await database.close();
  }
}

/** The time that 95 % do not exceed. */
export function percentile95(milliseconds: readonly number[]): number {
  return milliseconds.length === 0 ? 0 : percentile(milliseconds, 0.95);
}
