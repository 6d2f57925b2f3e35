import { contract } from '@runward/contract';
import { compare, type Comparison } from './compare.ts';
import type { LoadProcess } from './load-process.ts';
import { median } from './measured.ts';
import type { Seed } from './seed.ts';
import { startRunward } from './service.ts';
import { headersOf, type Pace } from './subjects.ts';

/** What measuring needs. */
export interface LimitBench {
  readonly load: LoadProcess;
  readonly postgresPid: number;
  readonly databaseUrl: string;
  readonly folder: string;
  readonly seed: Seed;
  readonly pace: Pace;
  say(line: string): void;
}

/** What it costs to count a request in PostgreSQL, for all processes, instead of in the process alone. */
export interface LimitCost {
  /** What was asked for. */
  readonly name: string;
  /** Requests per second with PostgreSQL by those with the process's own memory: the medians, and the lowest and highest round. */
  readonly ratio: number;
  readonly spread: readonly [number, number];
  /** What it adds to the median request, in milliseconds. */
  readonly addedMs: number;
  /** CPU time it adds to one request, in milliseconds, by the service and PostgreSQL together; null where the system does not tell. */
  readonly addedCpuMs: number | null;
}

/** Measures a cheap request on two services that differ in where they count, in turn, round by round. */
export async function measureLimitCost(bench: LimitBench): Promise<LimitCost> {
  const { load, postgresPid, databaseUrl, folder, seed, pace } = bench;
  await using services = new AsyncDisposableStack();
  const start = async (rateLimitStore: 'memory' | 'postgres') => {
    const service = await startRunward({ databaseUrl, folder, mode: 'production', rateLimitStore });
    services.defer(() => service.stop());
    return { url: service.baseUrl, pid: service.pid };
  };
  const [postgres, memory] = [await start('postgres'), await start('memory')];
  const { method, path } = contract.webhooks.get;
  const requests = [{ method, path: path.replace(':id', seed.webhookId) }];
  const name = `${method} ${path}`;
  const comparison = await compare(
    {
      service: postgres,
      floor: memory,
      load,
      postgresPid,
      serviceDatabaseUrl: databaseUrl,
      rounds: pace.rounds,
      say: () => {},
    },
    {
      name,
      unit: 'req/s',
      aim: 0,
      job: (url, phase) => {
        const seconds = phase === 'warm-up' ? pace.warmUpSeconds : pace.seconds;
        return { kind: 'requests', url, headers: headersOf(seed), requests, seconds };
      },
    },
  );
  const cost = costOf(comparison);
  bench.say(`${name}, counted in PostgreSQL and in memory: ${cost.ratio.toFixed(2)}`);
  return cost;
}

function costOf({ name, ratio, spread, service: postgres, floor: memory }: Comparison): LimitCost {
  const added = (of: (round: Comparison['service'][number]) => number) =>
    median(postgres.map(of)) - median(memory.map(of));
  const cpu = added(({ serverCpu, postgresCpu }) => (serverCpu ?? NaN) + (postgresCpu ?? NaN));
  return { name, ratio, spread, addedMs: added(({ p50 }) => p50 ?? NaN), addedCpuMs: Number.isNaN(cpu) ? null : cpu };
}
