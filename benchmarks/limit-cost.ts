import { contract } from '@runward/contract';
import { compare, type Comparison } from './compare.ts';
import type { LoadProcess } from './load-process.ts';
import { median } from './measured.ts';
import type { Seed } from './seed.ts';
import { startRunward } from './service.ts';
import { headersOf, type Profile } from './scenarios.ts';

/** What measuring needs. */
export interface LimitBench {
  readonly load: LoadProcess;
  readonly postgresPid: number;
  readonly databaseUrl: string;
  readonly folder: string;
  readonly seed: Seed;
  readonly profile: Profile;
  log(line: string): void;
}

/** The cost of counting a request in PostgreSQL, for all processes, instead of in the memory of one process. */
export interface LimitCost {
  /** The request. */
  readonly name: string;
  /** Requests per second with PostgreSQL divided by those with memory: of the medians, and of the lowest and highest round. */
  readonly ratio: number;
  readonly spread: readonly [number, number];
  /** Milliseconds added to the median request. */
  readonly addedMs: number;
  /** Milliseconds of CPU time added to each request, of the service and PostgreSQL together; null if the system does not report it. */
  readonly addedCpuMs: number | null;
}

/** Measures a cheap request on two services that differ only in where they count, in turn, round by round. */
export async function measureLimitCost(bench: LimitBench): Promise<LimitCost> {
  const { load, postgresPid, databaseUrl, folder, seed, profile } = bench;
  await using services = new AsyncDisposableStack();
  const start = async (rateLimitStore: 'memory' | 'postgres') => {
    const service = services.use(await startRunward({ databaseUrl, folder, mode: 'production', rateLimitStore }));
    return { url: service.baseUrl, pid: service.pid };
  };
  const [postgres, memory] = [await start('postgres'), await start('memory')];
  const { method, path } = contract.webhooks.get;
  const requests = [{ method, path: path.replace(':id', seed.webhookId) }];
  const name = `${method} ${path}`;
  const comparison = await compare(
    {
      service: postgres,
      baseline: memory,
      load,
      postgresPid,
      serviceDatabaseUrl: databaseUrl,
      rounds: profile.rounds,
      log: () => {},
    },
    {
      name,
      unit: 'req/s',
      aim: 0,
      job: (url, phase) => {
        const seconds = phase === 'warm-up' ? profile.warmUpSeconds : profile.seconds;
        return { kind: 'requests', url, headers: headersOf(seed), requests, seconds };
      },
    },
  );
  const cost = costOf(comparison);
  bench.log(`${name}, counted in PostgreSQL and in memory: ${cost.ratio.toFixed(2)}`);
  return cost;
}

function costOf({ name, ratio, spread, service: postgres, baseline: memory }: Comparison): LimitCost {
  const added = (of: (round: Comparison['service'][number]) => number) =>
    median(postgres.map(of)) - median(memory.map(of));
  const cpu = added(({ serverCpu, postgresCpu }) => (serverCpu ?? NaN) + (postgresCpu ?? NaN));
  return { name, ratio, spread, addedMs: added(({ p50 }) => p50 ?? NaN), addedCpuMs: Number.isNaN(cpu) ? null : cpu };
}
