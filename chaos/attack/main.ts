/**
 * One organization attacks the service while another one works in it: `npm run chaos:attack [-- --minutes N] [-- --keys
 * N] [-- --only TEXT] [-- --quick]`. See `chaos/README.md`. Exits with 1 if the process of the service ended, used more
 * memory than it has, failed a request of the neighbor, or lost its work. With `--quick`, also if an attack was not
 * carried out. The times of the neighbor are printed, not asserted.
 */
import { parseArgs } from 'node:util';
import { newDataFolder } from '@runward/testing/data-folder';
import { attack } from './attack-run.ts';
import { attacks } from './attacks.ts';
import { describe, missedOf, problemsOf } from './verdict.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    keys: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
  },
});
const [minutes, keys] = [Number(options.minutes), Number(options.keys)];
if (!(minutes > 0) || !(keys >= 1)) {
  console.error('Usage: npm run chaos:attack [-- --minutes N] [-- --keys N] [-- --only TEXT] [-- --quick]');
  process.exit(2);
}
const { only } = options;
const names = Object.keys(attacks).filter((name) => name.includes(only));
const tempo = options.quick
  ? // Ten keys, so that the rate limits do not end an attack before it has begun.
    { aloneMs: 2_000, attackMs: 3_000, keys: 10, count: names.length, durationMs: 480_000 }
  : { aloneMs: 30_000, attackMs: 15_000, keys, durationMs: minutes * 60_000 };
const log = (line: string) => void process.stderr.write(`${line}\n`);

const started = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void started.disposeAsync().finally(() => process.exit(130)));
}
const folder = await newDataFolder();
try {
  const result = await attack({ folder: folder.path, started, only, log, ...tempo });
  const problems = [...problemsOf(result), ...(options.quick ? missedOf(result, names) : [])];
  process.stdout.write(`${[...describe(result), ...problems.map((problem) => `violation: ${problem}`)].join('\n')}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await started.disposeAsync();
}
if (process.exitCode === 0) await folder[Symbol.asyncDispose]();
else log(`The log of the service is ${folder.path}/service.log`);
