import { drain } from './drain.ts';
import type { Job } from './load.ts';
import type { LoadProcess } from './load-process.ts';
import { type Measured, median, percentile } from './measured.ts';
import { cpuSeconds } from './usage.ts';

/** A server under measurement. */
export interface Side {
  readonly url: string;
  readonly pid: number;
}

/** Something both sides are asked to do. */
export interface Subject {
  readonly name: string;
  readonly unit: 'req/s' | 'flows/s' | 'deliveries/s';
  /** The least ratio service/floor that is aimed at. */
  readonly aim: number;
  /** What is sent for warming up, and for measuring. */
  job(url: string, phase: 'warm-up' | 'round', round: number): Job;
}

/** One side in one round; times in milliseconds. */
export interface Round {
  readonly perSecond: number;
  /** Null where only the rate is measured. */
  readonly p50: number | null;
  readonly p99: number | null;
  /** CPU time for one of them, by the server and by PostgreSQL; null where the system does not tell. */
  readonly serverCpu: number | null;
  readonly postgresCpu: number | null;
  /** Deliveries the dispatcher had not come to when the load ended. */
  readonly waiting: number;
}

/** What came of a subject. */
export interface Comparison {
  readonly name: string;
  readonly unit: Subject['unit'];
  readonly aim: number;
  readonly service: readonly Round[];
  readonly floor: readonly Round[];
  /** Median of the service by median of the floor. */
  readonly ratio: number;
  /** The lowest and highest ratio of a round. */
  readonly spread: readonly [number, number];
}

/** What measuring needs. */
export interface Bench {
  readonly load: LoadProcess;
  readonly service: Side;
  readonly floor: Side;
  readonly postgresPid: number;
  readonly serviceDatabaseUrl: string;
  readonly rounds: number;
  say(line: string): void;
}

/** Measures both sides in turn, round by round. */
export async function compare(bench: Bench, subject: Subject): Promise<Comparison> {
  const rounds: { service: Round; floor: Round }[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const service = await measure(bench, subject, bench.service, round);
    const floor = await measure(bench, subject, bench.floor, round);
    const [one, other] = [service, floor].map(({ perSecond }) => perSecond.toFixed(0));
    bench.say(`${subject.name}, round ${round + 1}: service ${one} ${subject.unit}, floor ${other} ${subject.unit}`);
    rounds.push({ service, floor });
  }
  return summarize(subject, rounds);
}

/** What came of all rounds together. */
export function summarize(
  { name, unit, aim }: Pick<Subject, 'name' | 'unit' | 'aim'>,
  rounds: readonly { readonly service: Round; readonly floor: Round }[],
): Comparison {
  const ratios = rounds.map(({ service, floor }) => service.perSecond / floor.perSecond);
  const rate = (side: 'service' | 'floor') => median(rounds.map((round) => round[side].perSecond));
  return {
    name,
    unit,
    aim,
    service: rounds.map(({ service }) => service),
    floor: rounds.map(({ floor }) => floor),
    ratio: rate('service') / rate('floor'),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

async function measure(bench: Bench, subject: Subject, side: Side, round: number): Promise<Round> {
  await bench.load.measure(subject.job(side.url, 'warm-up', round));
  const before = await cpu(bench, side);
  const measured = await bench.load.measure(subject.job(side.url, 'round', round));
  const after = await cpu(bench, side);
  // The other side must not be measured while this one still delivers.
  const waiting = side === bench.service ? await drain(bench.serviceDatabaseUrl) : 0;
  const each = (key: 'server' | 'postgres') => perRequest(before[key], after[key], measured);
  return {
    perSecond: measured.milliseconds.length / measured.seconds,
    p50: percentile(measured.milliseconds, 0.5),
    p99: percentile(measured.milliseconds, 0.99),
    serverCpu: each('server'),
    postgresCpu: each('postgres'),
    waiting,
  };
}

async function cpu({ postgresPid }: Bench, { pid }: Side) {
  return { server: await cpuSeconds(pid), postgres: await cpuSeconds(postgresPid) };
}

function perRequest(before: number | null, after: number | null, { milliseconds }: Measured): number | null {
  return before === null || after === null ? null : ((after - before) * 1000) / milliseconds.length;
}
