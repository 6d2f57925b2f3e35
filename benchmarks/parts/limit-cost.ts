import { contract } from '@runward/contract';
import { compare, type Comparison } from '../harness/compare.ts';
import { median } from '../harness/measured.ts';
import type { Part } from '../harness/part.ts';
import { sending } from '../harness/profile.ts';
import { startRunward } from '../harness/service.ts';

/** The cost of counting requests in PostgreSQL, shared by all processes, instead of in the memory of one process. */
interface LimitCost {
  /** The request. */
  readonly name: string;
  /**
   * Requests per second with PostgreSQL divided by those with memory, for the median, the lowest and the highest round.
   */
  readonly ratio: number;
  readonly spread: readonly [number, number];
  /** Milliseconds added to the median request. */
  readonly addedMs: number;
  /**
   * CPU time added per request by the service and PostgreSQL together, in milliseconds. Null if the system does not
   * report it.
   */
  readonly addedCpuMs: number | null;
}

/** Compares a cheap request on two services that differ only in where they count. They alternate round by round. */
export const limits: Part = {
  name: 'limits',
  needs: 'seed',
  measure: async (bench) => {
    const start = async (rateLimitStore: 'memory' | 'postgres') => {
      const { baseUrl, pid } = bench.stack.use(await startRunward({ ...bench, mode: 'production', rateLimitStore }));
      return { url: baseUrl, pid };
    };
    const targets = { service: await start('postgres'), baseline: await start('memory') };
    const { method, path } = contract.webhooks.get;
    const requests = [{ method, path: path.replace(':id', bench.seeded.webhookId) }];
    const scenario = { name: `${method} ${path}`, unit: 'req/s', aim: 0, job: sending(bench, requests) } as const;
    const limitCost = costOf(await compare(bench, targets, scenario));
    return { notes: [shown(limitCost)], results: { limitCost } };
  },
};

function costOf({ name, ratio, spread, service: postgres, baseline: memory }: Comparison): LimitCost {
  const added = (of: (round: Comparison['service'][number]) => number) =>
    median(postgres.map(of)) - median(memory.map(of));
  const cpu = added(({ serverCpu, postgresCpu }) => (serverCpu ?? NaN) + (postgresCpu ?? NaN));
  return { name, ratio, spread, addedMs: added(({ p50 }) => p50 ?? NaN), addedCpuMs: Number.isNaN(cpu) ? null : cpu };
}

function shown({ name, ratio, spread, addedMs, addedCpuMs }: LimitCost): string {
  const rounds = spread.map((value) => value.toFixed(2)).join('-');
  const more = (ms: number) => `${ms < 0 ? '' : '+'}${ms.toFixed(2)} ms`;
  const cpu = addedCpuMs === null ? '' : `, ${more(addedCpuMs)} of CPU time`;
  const rate = `${ratio.toFixed(2)} of the rate (rounds ${rounds})`;
  return `Counting requests in PostgreSQL instead of in memory, ${name}: ${rate}; each ${more(addedMs)} (p50)${cpu}.`;
}
