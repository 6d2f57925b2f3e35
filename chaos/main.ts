/**
 * Kills, restarts and stalls everything while clients work, then holds what is left against what the service promises:
 * `npm run chaos [-- --minutes N] [-- --seed N] [-- --quick]`. See README.md. Exits 1 where a promise was broken.
 */
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { removeEmbeddedPostgres } from '@runward/server/internal/database/embedded/files';
import { ensureDatabase } from '@runward/server/internal/database/embedded/postgres';
import { startCast, type Cast } from './cast.ts';
import { check } from './check/check.ts';
import type { Mischief } from './mischief.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { counts } from './report.ts';
import { storm } from './storm.ts';

const mostMinutes = 6;
const longestMs = 600_000;
const shown = 20;
/** Longer than an outage of a receiver, short enough to see deliveries fail for good. */
const retrySchedule = '0s,1s,2s,4s,8s,8s,8s,8s';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    quick: { type: 'boolean', default: false },
  },
});
const minutes = options.quick ? 1 : Number(options.minutes);
const seed = Number(options.seed);
if (!(minutes > 0 && minutes <= mostMinutes) || !Number.isInteger(seed)) {
  console.error(`Usage: npm run chaos [-- --minutes N] [-- --seed N] [-- --quick]; at most ${mostMinutes} minutes.`);
  process.exit(2);
}
const say = (line: string) => void process.stderr.write(`${line}\n`);

const started = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void started.disposeAsync().finally(() => process.exit(130)));
}
setTimeout(() => {
  console.error(`Not over after ${longestMs / 60_000} minutes; gave up.`);
  process.exit(1);
}, longestMs).unref();

const folder = await mkdtemp(join(tmpdir(), 'runward-chaos-'));
// PostgreSQL runs as another user when this is root, and has to pass through.
await chmod(folder, 0o711);
try {
  const isGood = await run();
  await started.disposeAsync();
  if (isGood) await removeEmbeddedPostgres(folder);
  else say(`The logs of all processes, and what clients and receivers wrote down, are in ${folder}`);
  process.exitCode = isGood ? 0 : 1;
} finally {
  await started.disposeAsync();
}

async function run(): Promise<boolean> {
  say(`Seed ${seed}, ${minutes} minutes of storm, logs in ${folder}`);
  const postgres = await startPostgres(folder);
  started.defer(() => postgres.stop());
  const databaseUrl = postgres.url('chaos');
  await ensureDatabase(databaseUrl);
  const cast = await startCast({ databaseUrl, folder, seed, apis: 2, workers: 2, retrySchedule, started });

  const { evidence, end } = await storm(cast, mischiefOf(cast, postgres), {
    seed,
    durationMs: minutes * 60_000,
    clients: 5,
    mostPauseMs: 6_000,
    rounds: Infinity,
    databaseUrl,
    attempts: retrySchedule.split(',').length,
    settleMs: 150_000,
    patient: true,
    say,
  });
  const verdict = check(evidence, end);
  const lines = verdict.violations.slice(0, shown).map(({ rule, detail }) => `violation: ${rule}: ${detail}`);
  lines.push(`seed ${seed}`, ...counts(evidence, cast.clients.sent(), verdict));
  process.stdout.write(`${lines.join('\n')}\n`);
  return verdict.violations.length === 0;
}

function mischiefOf({ apis, workers, receiver }: Cast, postgres: Postgres): Mischief[] {
  const target = 'PostgreSQL';
  return [
    ...[...apis, ...workers, ...workers].map(({ name, kill }): Mischief => ({
      kind: 'kill',
      target: name,
      name: `kill -9 ${name}`,
      strike: kill,
    })),
    ...(['fast', 'immediate'] as const).map((mode): Mischief => ({
      kind: 'restart',
      target,
      name: `PostgreSQL restarts (${mode})`,
      strike: () => postgres.restart(mode),
    })),
    {
      kind: 'stall',
      target,
      name: 'PostgreSQL stands still',
      strike: (random) => postgres.stall(random.between(3_000, 8_000)),
    },
    {
      kind: 'outage',
      target: 'receiver',
      name: 'a receiver answers nothing but 503',
      strike: async (random) => {
        receiver.tell({ outage: true });
        await pause(random.between(5_000, 15_000));
        receiver.tell({ outage: false });
      },
    },
  ];
}
