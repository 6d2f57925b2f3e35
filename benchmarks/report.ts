import { cpus, loadavg, totalmem } from 'node:os';
import type { Comparison, Round } from './compare.ts';
import type { Detection } from './detection.ts';
import type { Latency } from './latency.ts';
import type { LimitCost } from './limit-cost.ts';
import { median } from './measured.ts';
import { table } from './table.ts';

/** Aims besides the ratios. */
const latencyAim = 50;
const apartAim = 1_200;
const detectionAim = 90;
const memoryAim = 250;

/** What it ran on. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  /** How busy the machine was before, in running processes over the last minute. */
  readonly loadBefore: number;
  readonly node: string;
  readonly postgres: string;
}

/** Everything that was measured. */
export interface Report {
  readonly at: string;
  readonly quick: boolean;
  readonly machine: Machine;
  readonly comparisons: readonly Comparison[];
  readonly limitCost: LimitCost;
  readonly latency: Latency;
  /** The same where the worker is a process of its own. */
  readonly latencyApart: Latency;
  readonly detection: Detection;
  /** The most resident memory the service had, in MB. */
  readonly memoryMb: number;
}

/** The machine as it is right now. */
export function describeMachine(postgres: string): Machine {
  return {
    cores: cpus().length,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    loadBefore: loadavg()[0] ?? NaN,
    node: process.version,
    postgres,
  };
}

/** The report as text. */
export function render(report: Report): string {
  const { quick, machine, comparisons, limitCost, latency, latencyApart, detection, memoryMb } = report;
  const { cores, processor, memoryGb, loadBefore, node, postgres } = machine;
  const ratios = table(
    ['', 'service', 'floor', '', 'ratio', 'rounds', 'aim', ''],
    comparisons.map(({ name, unit, service, floor, ratio, spread, aim }) => [
      name,
      middle(service, 'perSecond').toFixed(0),
      middle(floor, 'perSecond').toFixed(0),
      unit,
      ratio.toFixed(2),
      spread.map((value) => value.toFixed(2)).join('-'),
      `>= ${aim}`,
      verdict(ratio >= aim),
    ]),
  );
  const times = table(
    ['ms, service / floor', 'p50', 'p99', 'server CPU', 'PostgreSQL CPU'],
    comparisons.map(({ name, service, floor }) => [
      name,
      ...(['p50', 'p99', 'serverCpu', 'postgresCpu'] as const).map((key) => both(service, floor, key)),
    ]),
  );
  const { events, sinceRequest, sinceEvent } = latency;
  const apart = latencyApart.sinceEvent;
  const { tasks, first, last, received } = detection;
  const others = table(
    ['', 'p50', 'p95', 'most', 'aim', ''],
    [
      ['event to receiver, ms', ...shown(sinceEvent), `p50 < ${latencyAim}`, verdict(sinceEvent.p50 < latencyAim)],
      [
        'request to receiver, ms',
        ...shown(sinceRequest),
        `p50 < ${latencyAim}`,
        verdict(sinceRequest.p50 < latencyAim),
      ],
      ['event to receiver, separate worker, ms', ...shown(apart), `p50 < ${apartAim}`, verdict(apart.p50 < apartAim)],
      [
        `deadline of ${tasks.toLocaleString('en')} tasks to activity, s`,
        '',
        '',
        last.toFixed(1),
        `< ${detectionAim}`,
        verdict(last < detectionAim),
      ],
      ['the same to receiver, s', '', '', received.toFixed(1), '', ''],
      ['memory of the service, MB', '', '', memoryMb.toFixed(0), `< ${memoryAim}`, verdict(memoryMb < memoryAim)],
    ],
  );
  const left = comparisons.map(({ name, service }) => ({ name, waiting: middle(service, 'waiting') }));
  const backlog = left
    .filter(({ waiting }) => waiting > 0)
    .map(({ name, waiting }) => `${waiting.toFixed(0)} after ${name}`);
  return [
    `${cores} x ${processor}, ${memoryGb} GB, load ${loadBefore.toFixed(1)} before; Node ${node}, PostgreSQL ${postgres}`,
    ...(quick ? ['A quick run: good for trying, not for comparing.'] : []),
    ratios,
    times,
    shownCost(limitCost),
    `${events} events, one every 100 ms:`,
    others,
    `Of the time to find what is due, ${first.toFixed(1)} s were spent waiting for the job that looks every 30 s.`,
    ...(backlog.length > 0 ? [`Deliveries that still waited when the load ended: ${backlog.join(', ')}.`] : []),
  ].join('\n\n');
}

function shownCost({ name, ratio, spread, addedMs, addedCpuMs }: LimitCost): string {
  const rounds = spread.map((value) => value.toFixed(2)).join('-');
  const more = (ms: number) => `${ms < 0 ? '' : '+'}${ms.toFixed(2)} ms`;
  const cpu = addedCpuMs === null ? '' : `, ${more(addedCpuMs)} of CPU time`;
  const rate = `${ratio.toFixed(2)} of the rate (rounds ${rounds})`;
  return `Counting requests in PostgreSQL instead of in memory, ${name}: ${rate}; each ${more(addedMs)} (p50)${cpu}.`;
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'missed';
}

function middle(rounds: readonly Round[], key: keyof Round): number {
  return median(rounds.map((round) => round[key] ?? NaN));
}

function both(service: readonly Round[], floor: readonly Round[], key: keyof Round): string {
  return [service, floor].map((rounds) => told(middle(rounds, key))).join(' / ');
}

function told(value: number): string {
  return Number.isNaN(value) ? '-' : value.toFixed(2);
}

function shown({ p50, p95, most }: Latency['sinceEvent']): string[] {
  return [p50, p95, most].map((value) => value.toFixed(1));
}
