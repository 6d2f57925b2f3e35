import type { EventName } from '@runward/contract';

/** A webhook and how its receiver behaves. */
export interface WebhookProfile {
  readonly path: string;
  readonly events: readonly EventName[];
  /** The share of responses with status 500, from 0 to 1. */
  readonly errorRate: number;
  /** Maximum response time in milliseconds. The minimum is a fifth of it. */
  readonly maxDelayMs: number;
  /** Whether it responds with 503 during an outage. */
  readonly hasOutages: boolean;
  /** Default: false. */
  readonly ordered?: boolean;
}

const runEvents = ['run.started', 'run.completed', 'run.cancelled', 'run.reopened'] as const;
const taskEvents = ['task.completed', 'task.overdue'] as const;
const approvalEvents = ['approval.requested', 'approval.granted', 'approval.rejected'] as const;

/** The webhooks of a chaos run. The last one never succeeds, so its deliveries must end as failed. */
export const webhooks: readonly WebhookProfile[] = [
  {
    path: '/healthy',
    events: [...runEvents, ...taskEvents, ...approvalEvents],
    errorRate: 0,
    maxDelayMs: 0,
    hasOutages: false,
  },
  {
    path: '/failing',
    events: [...runEvents, ...taskEvents, ...approvalEvents],
    errorRate: 0.3,
    maxDelayMs: 0,
    hasOutages: false,
  },
  { path: '/slow', events: ['run.started', 'task.overdue'], errorRate: 0, maxDelayMs: 1_000, hasOutages: false },
  { path: '/outages', events: [...taskEvents, ...approvalEvents], errorRate: 0, maxDelayMs: 0, hasOutages: true },
  {
    path: '/ordered',
    events: runEvents,
    errorRate: 0.01,
    maxDelayMs: 0,
    hasOutages: false,
    ordered: true,
  },
  { path: '/dead', events: ['run.reopened'], errorRate: 1, maxDelayMs: 0, hasOutages: false },
];
