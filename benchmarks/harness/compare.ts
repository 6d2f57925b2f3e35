import { percentile } from '@runward/testing/measuring/percentile';
import type { Job } from '../load/load.ts';
import { drain } from './drain.ts';
import { median } from './measured.ts';
import type { Bench, Target } from './part.ts';
import { cpuSeconds } from './usage.ts';

/** Work that both targets do. */
export interface Scenario {
  readonly name: string;
  readonly unit: 'req/s' | 'flows/s' | 'runs/s' | 'deliveries/s' | 'MB/s';
  /** The number of units that one item of the load counts. Default: 1. */
  readonly perItem?: number;
  /** The lowest ratio service/baseline that meets the aim. */
  readonly aim: number;
  /** The load for warming up or measuring. Both targets may be the same server with different loads. */
  job(url: string, phase: 'warm-up' | 'round', round: number, side: 'service' | 'baseline'): Job;
}

/** The result of one target in one round; times are in milliseconds. */
export interface Round {
  readonly perSecond: number;
  /** Null if only the rate is measured. */
  readonly p50: number | null;
  readonly p99: number | null;
  /** CPU time per request of the server and of PostgreSQL. Null if the system does not report it. */
  readonly serverCpu: number | null;
  readonly postgresCpu: number | null;
  /** Deliveries that were still pending when the load ended. */
  readonly waiting: number;
}

/** The results of a scenario. */
export interface Comparison {
  readonly name: string;
  readonly unit: Scenario['unit'];
  readonly aim: number;
  readonly service: readonly Round[];
  readonly baseline: readonly Round[];
  /** Median of the service divided by median of the baseline. */
  readonly ratio: number;
  /** The lowest and highest ratio of a round. */
  readonly spread: readonly [number, number];
}

/** The servers to compare; both may be the same one. */
export interface Targets {
  readonly service: Target;
  readonly baseline: Target;
}

/** What measuring needs, and the database whose deliveries must end before the other target is measured. */
type MeasuredBench = Bench & { readonly databaseUrl: string };

/** Measures both targets in turn, round by round. */
export async function compare(bench: MeasuredBench, targets: Targets, scenario: Scenario): Promise<Comparison> {
  const rounds: { service: Round; baseline: Round }[] = [];
  for (let round = 0; round < bench.profile.rounds; round += 1) {
    const service = await measure(bench, targets, scenario, 'service', round);
    const baseline = await measure(bench, targets, scenario, 'baseline', round);
    bench.log(roundLine(scenario, round, { service, baseline }));
    rounds.push({ service, baseline });
  }
  return summarize(scenario, rounds);
}

/** One line of progress. `round` counts from 0. */
export function roundLine(
  { name, unit }: Pick<Scenario, 'name' | 'unit'>,
  round: number,
  { service, baseline }: { readonly service: Round; readonly baseline: Round },
): string {
  const [one, other] = [service, baseline].map(({ perSecond }) => `${perSecond.toFixed(0)} ${unit}`);
  return `${name}, round ${round + 1}: service ${one}, baseline ${other}`;
}

/** The results of all rounds together. */
export function summarize(
  { name, unit, aim }: Pick<Scenario, 'name' | 'unit' | 'aim'>,
  rounds: readonly { readonly service: Round; readonly baseline: Round }[],
): Comparison {
  const ratios = rounds.map(({ service, baseline }) => service.perSecond / baseline.perSecond);
  const rate = (target: 'service' | 'baseline') => median(rounds.map((round) => round[target].perSecond));
  return {
    name,
    unit,
    aim,
    service: rounds.map(({ service }) => service),
    baseline: rounds.map(({ baseline }) => baseline),
    ratio: rate('service') / rate('baseline'),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

async function measure(
  bench: MeasuredBench,
  targets: Targets,
  scenario: Scenario,
  side: keyof Targets,
  round: number,
): Promise<Round> {
  const target = targets[side];
  await bench.load.measure(scenario.job(target.url, 'warm-up', round, side));
  const before = await cpu(bench, target);
  const measured = await bench.load.measure(scenario.job(target.url, 'round', round, side));
  const after = await cpu(bench, target);
  // The other target must not be measured while this one still delivers.
  const waiting = target.pid === targets.service.pid ? await drain(bench.databaseUrl) : 0;
  const each = (key: 'server' | 'postgres') => perRequest(before[key], after[key], measured.milliseconds.length);
  return {
    perSecond: (measured.milliseconds.length * (scenario.perItem ?? 1)) / measured.seconds,
    p50: percentile(measured.milliseconds, 0.5),
    p99: percentile(measured.milliseconds, 0.99),
    serverCpu: each('server'),
    postgresCpu: each('postgres'),
    waiting,
  };
}

async function cpu({ postgres }: MeasuredBench, { pid }: Target) {
  return { server: await cpuSeconds(pid), postgres: await cpuSeconds(postgres.pid) };
}

/** The CPU time per request in milliseconds, from the seconds before and after a number of requests. */
export function perRequest(before: number | null, after: number | null, requests: number): number | null {
  return before === null || after === null ? null : ((after - before) * 1000) / requests;
}
