import { cpus, loadavg, totalmem } from 'node:os';
import { table } from '@runward/testing/table';
import type { Comparison, Round } from './compare.ts';
import type { Detection } from './detection.ts';
import type { Export } from './export.ts';
import type { Latency, Spread } from './latency.ts';
import type { LimitCost } from './limit-cost.ts';
import { median } from './measured.ts';
import type { TemplateTimes } from './template-logic.ts';

/** Aims in the units of the report, besides the ratios. */
const latencyAim = 50;
const apartAim = 1_200;
const detectionAim = 90;
const firstByteAim = 1;
const memoryAim = 250;
const templateAim = 100;

/** The machine it ran on. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  /** The load average of the minute before. */
  readonly loadBefore: number;
  readonly node: string;
  readonly postgres: string;
}

/** All measurements; those that were not chosen are missing. */
export interface Report {
  readonly at: string;
  readonly quick: boolean;
  readonly machine: Machine;
  readonly comparisons: readonly Comparison[];
  limitCost?: LimitCost | undefined;
  latency?: Latency | undefined;
  /** The same with a separate worker process. */
  latencyApart?: Latency | undefined;
  detection?: Detection | undefined;
  exported?: Export | undefined;
  templates?: TemplateTimes | undefined;
  /** The peak of the service's resident memory, in MB. */
  readonly memoryMb: number;
}

/** Describes the machine as it is now. */
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
  const { quick, machine, comparisons, limitCost, latency, latencyApart, detection, exported, templates, memoryMb } =
    report;
  const { cores, processor, memoryGb, loadBefore, node, postgres } = machine;
  const ratios = columns(
    ['', 'service', 'baseline', '', 'ratio', 'rounds', 'aim', ''],
    comparisons.map(({ name, unit, service, baseline, ratio, spread, aim }) => [
      name,
      middle(service, 'perSecond').toFixed(0),
      middle(baseline, 'perSecond').toFixed(0),
      unit,
      ratio.toFixed(2),
      spread.map((value) => value.toFixed(2)).join('-'),
      `>= ${aim}`,
      verdict(ratio >= aim),
    ]),
  );
  const times = columns(
    ['ms, service / baseline', 'p50', 'p99', 'server CPU', 'PostgreSQL CPU'],
    comparisons.map(({ name, service, baseline }) => [
      name,
      ...(['p50', 'p99', 'serverCpu', 'postgresCpu'] as const).map((key) => both(service, baseline, key)),
    ]),
  );
  const others = columns(
    ['', 'p50', 'p95', 'max', 'aim', ''],
    [
      ...(latency && latencyApart ? latencyRows(latency, latencyApart) : []),
      ...(detection ? detectionRows(detection) : []),
      ...(exported ? exportRows(exported) : []),
      ...(templates ? templateRows(templates) : []),
      ['memory of the service, MB', '', '', memoryMb.toFixed(0), `< ${memoryAim}`, verdict(memoryMb < memoryAim)],
    ],
  );
  const left = comparisons.map(({ name, service }) => ({ name, waiting: middle(service, 'waiting') }));
  const backlog = left
    .filter(({ waiting }) => waiting > 0)
    .map(({ name, waiting }) => `${waiting.toFixed(0)} after ${name}`);
  return [
    `${cores} x ${processor}, ${memoryGb} GB, load ${loadBefore.toFixed(1)} before; Node ${node}, PostgreSQL ${postgres}`,
    ...(quick ? ['A quick run: for trying, not for comparing.'] : []),
    ...(comparisons.length > 0 ? [ratios, times] : []),
    ...(limitCost ? [shownCost(limitCost)] : []),
    ...(latency ? [`${latency.events} events, one every 100 ms:`] : []),
    others,
    ...(detection
      ? [
          `Of the time until detection, ${detection.first.toFixed(1)} s were the wait for the job, which runs every 30 s.`,
        ]
      : []),
    ...(backlog.length > 0 ? [`Deliveries still pending when the load ended: ${backlog.join(', ')}.`] : []),
  ].join('\n\n');
}

function latencyRows({ sinceRequest, sinceEvent }: Latency, { sinceEvent: apart }: Latency): string[][] {
  const row = (name: string, times: Spread, aim: number) => {
    return [`${name}, ms`, ...shown(times), `p50 < ${aim}`, verdict(times.p50 < aim)];
  };
  return [
    row('event to receiver', sinceEvent, latencyAim),
    row('request to receiver', sinceRequest, latencyAim),
    row('event to receiver, separate worker', apart, apartAim),
  ];
}

function detectionRows({ tasks, last, received }: Detection): string[][] {
  const name = `deadline of ${tasks.toLocaleString('en')} tasks to activity, s`;
  return [
    [name, '', '', last.toFixed(1), `< ${detectionAim}`, verdict(last < detectionAim)],
    ['the same to receiver, s', '', '', received.toFixed(1), '', ''],
  ];
}

function exportRows({ runs, firstByte, last, megabytes }: Export): string[][] {
  const name = `CSV of ${runs.toLocaleString('en')} runs, first byte, s`;
  return [
    [name, '', '', firstByte.toFixed(2), `< ${firstByteAim}`, verdict(firstByte < firstByteAim)],
    [`the whole CSV (${megabytes.toFixed(0)} MB), s`, '', '', last.toFixed(1), '', ''],
  ];
}

function templateRows({ tree, diff }: TemplateTimes): string[][] {
  const row = (name: string, times: Spread) => {
    return [`${name}, ms`, ...shown(times), `p95 <= ${templateAim}`, verdict(times.p95 <= templateAim)];
  };
  return [row('dependency tree of 500 tasks', tree), row('diff of two versions of 500 tasks', diff)];
}

/** A table whose first column is aligned to the left, and all others to the right. */
function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return table(
    [head, ...rows],
    head.map((_, index) => (index === 0 ? 'left' : 'right')),
  );
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

function both(service: readonly Round[], baseline: readonly Round[], key: keyof Round): string {
  return [service, baseline].map((rounds) => shownOrDash(middle(rounds, key))).join(' / ');
}

function shownOrDash(value: number): string {
  return Number.isNaN(value) ? '-' : value.toFixed(2);
}

function shown({ p50, p95, max }: Latency['sinceEvent']): string[] {
  return [p50, p95, max].map((value) => value.toFixed(1));
}
