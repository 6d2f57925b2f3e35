import { cpus, loadavg, totalmem } from 'node:os';
import type { Comparison, Round } from './compare.ts';
import type { Latency } from './latency.ts';
import type { LimitCost } from './limit-cost.ts';
import { median } from './measured.ts';

/** Aims besides the ratios. */
const latencyAim = 50;
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
export function render({ quick, machine, comparisons, limitCost, latency, memoryMb }: Report): string {
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
  return `${middle(service, key).toFixed(2)} / ${middle(floor, key).toFixed(2)}`;
}

function shown({ p50, p95, most }: Latency['sinceEvent']): string[] {
  return [p50, p95, most].map((value) => value.toFixed(1));
}

/** Columns under their heads, the first to the left, all others to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
