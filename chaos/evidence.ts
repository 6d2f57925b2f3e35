import type { EventName } from '@runward/contract';

/** All that a storm left behind: what the checker looks at. Times in epoch milliseconds. */
export interface Evidence {
  /** What the clients asked for, in the order in which they began. */
  readonly deeds: readonly Deed[];
  readonly runs: readonly RunRow[];
  readonly tasks: readonly TaskRow[];
  /** By run and sequence. */
  readonly activity: readonly ActivityRow[];
  readonly events: readonly EventRow[];
  readonly webhooks: readonly WebhookRow[];
  readonly deliveries: readonly DeliveryRow[];
  /** What the receivers wrote down, in the order of their answers. */
  readonly received: readonly Received[];
  readonly feeds: Feeds;
  readonly incidents: readonly Incident[];
  readonly exits: readonly Exit[];
  /** How many attempts the retry schedule has. */
  readonly attempts: number;
  /** Whether every lease was waited for. Where not, deliveries that wait because of a lost worker are left out. */
  readonly leasesAwaited: boolean;
}

/** Something that happened in a run, as the checker compares it: a type and, where it is about a task, the task. */
export interface Happening {
  readonly type: string;
  readonly runTaskId: string | null;
}

/** A write that a client repeated under one Idempotency-Key until it was answered. */
export interface Deed {
  readonly at: number;
  readonly key: string;
  readonly operation: string;
  /** The title the client gave the run: known before the run has an id. */
  readonly title: string;
  /** Null for a launch that was not answered. */
  readonly runId: string | null;
  /** The status of the answer; null where the client gave up. */
  readonly status: number | null;
  /** What it says in a rejection. */
  readonly message?: string;
  /** What a success promises, besides what time itself brings about. */
  readonly facts: readonly Happening[];
}

/** A row of `runs`. */
export interface RunRow {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly activityCount: number;
}

/** A row of `run_tasks`. */
export interface TaskRow {
  readonly id: string;
  readonly runId: string;
  readonly status: string;
}

/** A row of `activity`. */
export interface ActivityRow extends Happening {
  readonly runId: string;
  readonly sequence: number;
  readonly at: number;
  /** Of a deadline that was set, or said to have passed. */
  readonly deadlineAt: number | null;
}

/** A row of `events`. */
export interface EventRow {
  readonly id: string;
  readonly runId: string;
  readonly sequence: number;
  readonly event: string;
  readonly body: string;
  /** Null where it has no place in the feed yet. */
  readonly position: number | null;
}

/** A row of `webhooks`; `path` is that of its URL. */
export interface WebhookRow {
  readonly id: string;
  readonly path: string;
  readonly enabled: boolean;
  readonly events: readonly EventName[];
}

/** A row of `webhook_deliveries`; `id` is the event's. */
export interface DeliveryRow {
  readonly id: string;
  readonly webhookId: string;
  readonly status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  /** The status each recorded attempt was answered with; null where none came. */
  readonly attempts: readonly (number | null)[];
  readonly isLeased: boolean;
}

/** A request as a receiver wrote it down. */
export interface Received {
  readonly arrivedAt: number;
  readonly answeredAt: number;
  readonly path: string;
  /** The `webhook-id` header. */
  readonly id: string;
  readonly body: string;
  readonly status: number;
  /** Null where the signature is right, else what is wrong with it. */
  readonly problem: string | null;
}

/** The ids of events as `GET /events` gave them: to one who followed all the time, and to one who came afterwards. */
export interface Feeds {
  readonly during: readonly string[];
  readonly after: readonly string[];
}

/** What can be done to a system. */
export type Kind = 'kill' | 'stop' | 'restart' | 'stall' | 'outage';

/** Mischief that was done: from when to when its target did not do its work. */
export interface Incident {
  readonly kind: Kind;
  /** Such as `worker 1`, `PostgreSQL`. */
  readonly target: string;
  /** How it was told. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The end of a process of the service. */
export interface Exit {
  readonly name: string;
  readonly startedAt: number;
  readonly at: number;
  readonly code: number | null;
  readonly signal: string | null;
  /** What was done to it, if anything. */
  readonly cause: 'kill' | 'stop' | null;
  /** Milliseconds from SIGTERM to the end; 0 for other causes. */
  readonly tookMs: number;
  /** Whether it had ever been ready. */
  readonly wasReady: boolean;
}

/** A promise that was broken. */
export interface Violation {
  /** Which one. Those that begin with `lost` are counted as lost. */
  readonly rule: string;
  readonly detail: string;
}
