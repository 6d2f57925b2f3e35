import type { EventName } from '@runward/contract';

/** A webhook and how its receiver behaves. */
export interface Hook {
  readonly path: string;
  readonly events: readonly EventName[];
  /** How many of its answers are 500, from 0 to 1. */
  readonly failing: number;
  /** The longest it takes to answer, in milliseconds; the least is a fifth of it. */
  readonly slowMs: number;
  /** Whether it answers 503 while there is an outage. */
  readonly hasOutages: boolean;
}

const runEvents = ['run.started', 'run.completed', 'run.cancelled', 'run.reopened'] as const;
const taskEvents = ['task.completed', 'task.overdue'] as const;

/** The webhooks of a storm. The last one never succeeds: its deliveries must be shown as failed. */
export const hooks: readonly Hook[] = [
  { path: '/healthy', events: [...runEvents, ...taskEvents], failing: 0, slowMs: 0, hasOutages: false },
  { path: '/failing', events: [...runEvents, ...taskEvents], failing: 0.3, slowMs: 0, hasOutages: false },
  { path: '/slow', events: ['run.started', 'task.overdue'], failing: 0, slowMs: 1_000, hasOutages: false },
  { path: '/outages', events: taskEvents, failing: 0, slowMs: 0, hasOutages: true },
  { path: '/dead', events: ['run.reopened'], failing: 1, slowMs: 0, hasOutages: false },
];
