import { cpus, loadavg, totalmem } from 'node:os';
import { table } from '@runward/testing/measuring/table';
import type { Comparison, Round } from './compare.ts';
import { median } from './measured.ts';
import type { Figure } from './part.ts';

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

/** All measurements. */
export interface Report {
  readonly at: string;
  readonly quick: boolean;
  readonly machine: Machine;
  readonly comparisons: readonly Comparison[];
  readonly figures: readonly Figure[];
}

/** Describes the current state of the machine. */
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
export function render({ quick, machine, comparisons, figures }: Report, notes: readonly string[]): string {
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
    figures.map((figure) => [...cellsOf(figure), figure.aim ?? '', verdictOn(figure)]),
  );
  const backlog = comparisons
    .map(({ name, service }) => ({ name, waiting: middle(service, 'waiting') }))
    .filter(({ waiting }) => waiting > 0)
    .map(({ name, waiting }) => `${waiting.toFixed(0)} after ${name}`);
  return [
    `${cores} x ${processor}, ${memoryGb} GB, load ${loadBefore.toFixed(1)} before; Node ${node}, PostgreSQL ${postgres}`,
    ...(quick ? ['A quick run: for trying, not for comparing.'] : []),
    ...(comparisons.length > 0 ? [ratios, times] : []),
    ...(figures.length > 0 ? [others] : []),
    ...notes,
    ...(backlog.length > 0 ? [`Deliveries still pending when the load ended: ${backlog.join(', ')}.`] : []),
  ].join('\n\n');
}

/** A figure as a line of progress. */
export function lineOf(figure: Figure): string {
  const [name = '', ...values] = cellsOf(figure);
  return `${name}: ${values.filter(Boolean).join(' / ')}`;
}

function cellsOf({ name, p50, p95, max }: Figure): string[] {
  return [name, ...[p50, p95, max].map((value) => value?.toFixed(value < 10 ? 2 : 1) ?? '')];
}

/** Whether a figure meets its aim. Empty if it has no aim. */
function verdictOn(figure: Figure): string {
  const [, key = 'max', sign, bound] = /^(?:(p50|p95) )?(<=?|>=) (.+)$/.exec(figure.aim ?? '') ?? [];
  if (sign === undefined) return '';
  const value = figure[key as 'p50' | 'p95' | 'max'] ?? NaN;
  const limit = Number(bound);
  return verdict(sign === '>=' ? value >= limit : sign === '<' ? value < limit : value <= limit);
}

/** A table with the first column left-aligned and all others right-aligned. */
function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return table(
    [head, ...rows],
    head.map((_, index) => (index === 0 ? 'left' : 'right')),
  );
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'missed';
}

function middle(rounds: readonly Round[], key: keyof Round): number {
  return median(rounds.map((round) => round[key] ?? NaN));
}

function both(service: readonly Round[], baseline: readonly Round[], key: keyof Round): string {
  const shown = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(2));
  return [service, baseline].map((rounds) => shown(middle(rounds, key))).join(' / ');
}
