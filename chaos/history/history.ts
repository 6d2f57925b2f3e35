import type { EventName } from '@runward/contract';
import type { HashedLine } from '@runward/engine';
import type { CounterDifference } from '@runward/server/internal/runs/queries/check-counters';
import type { AdminHistory } from './admin-history.ts';
import type { ConsoleHistory } from './console-history.ts';
import type { KeyHistory } from './key-history.ts';
import type { MailHistory } from './mail-history.ts';
import type { PortalHistory } from './portal-history.ts';
import type { Exit, FailedAttempt } from './process-history.ts';
import type { RowHistory } from './row-history.ts';

/** Everything observed during and after a chaos run, as input of the checker. Times are in epoch milliseconds. */
export interface History {
  /** What the clients requested, in the order in which they began. */
  readonly operations: readonly Operation[];
  readonly runs: readonly RunRow[];
  readonly tasks: readonly TaskRow[];
  readonly ruleSyncs: readonly RuleSyncRow[];
  /** The tasks of the template that need an approval. */
  readonly approvalTaskIds: readonly string[];
  /** By run and sequence. */
  readonly activity: readonly ActivityRow[];
  readonly events: readonly EventRow[];
  readonly webhooks: readonly WebhookRow[];
  readonly deliveries: readonly DeliveryRow[];
  /** The log of the receivers, in the order of their responses. */
  readonly received: readonly Received[];
  readonly feeds: Feeds;
  /** What the clients uploaded and downloaded. */
  readonly uploads: readonly UploadedFile[];
  readonly downloads: readonly DownloadedFile[];
  readonly files: readonly FileRow[];
  /** The ids of files that values name. */
  readonly attached: readonly AttachedFile[];
  readonly store: StoreReport;
  /** What `admin counters check` reported. */
  readonly counters: readonly Omit<CounterDifference, 'organizationId'>[];
  readonly rows: RowHistory;
  readonly portal: PortalHistory;
  readonly keys: KeyHistory;
  readonly admin: AdminHistory;
  readonly console: ConsoleHistory;
  readonly mail: MailHistory;
  readonly faults: readonly InjectedFault[];
  readonly exits: readonly Exit[];
  /** The attempts of clients that failed and were repeated. */
  readonly failures: readonly FailedAttempt[];
  /** How many attempts the retry schedule has. */
  readonly attempts: number;
}

/** A fact of a run in the form that the checker compares: its type and, if it concerns a task, the task. */
export interface Fact {
  readonly type: string;
  readonly runTaskId: string | null;
}

/** Creates a fact. */
export function fact(type: string, runTaskId: string | null = null): Fact {
  return { type, runTaskId };
}

/** A write. The client repeated it with one Idempotency-Key until it got a response. */
export interface Operation {
  readonly at: number;
  readonly key: string;
  readonly name: string;
  /** The title the client gave the run: known before the run has an id. */
  readonly title: string;
  /** Null for a launch without a response. */
  readonly runId: string | null;
  /** The response status; null if the client gave up. */
  readonly status: number | null;
  /** The message of an error. */
  readonly message?: string;
  /** The facts that a success promises, except facts that only time causes. */
  readonly facts: readonly Fact[];
}

/** A row of `runs`. */
export interface RunRow {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly activityCount: number;
  readonly activityHash: string;
  /** The version that the run follows, and the version whose rules it uses; null if it uses its own. */
  readonly versionId: string;
  readonly rulesVersionId: string | null;
}

/** A row of `run_tasks`. */
export interface TaskRow {
  readonly id: string;
  readonly runId: string;
  readonly status: string;
  /** Whether the run's version contains the task, or a migration retired or removed it. */
  readonly place: 'current' | 'retired' | 'removed';
}

/** A row of `rule_syncs`. */
export interface RuleSyncRow {
  readonly templateId: string;
  readonly status: string;
  readonly total: number;
  readonly processed: number;
}

/** A row of `activity`. */
export interface ActivityRow extends Fact {
  readonly runId: string;
  readonly sequence: number;
  readonly at: number;
  /** The deadline that was set, or that was detected as overdue. */
  readonly deadlineAt: number | null;
  /** The row as the API returns it. */
  readonly line: HashedLine;
}

/** A row of `events`. */
export interface EventRow {
  readonly id: string;
  readonly runId: string;
  readonly sequence: number;
  readonly event: string;
  readonly body: string;
  /** Null until it has a position in the feed. */
  readonly position: number | null;
}

/** A row of `webhooks`; `path` is the path of its URL. */
export interface WebhookRow {
  readonly id: string;
  readonly path: string;
  readonly enabled: boolean;
  readonly ordered: boolean;
  readonly events: readonly EventName[];
}

/** A row of `webhook_deliveries`; `id` is the id of the event. */
export interface DeliveryRow {
  readonly id: string;
  readonly webhookId: string;
  readonly status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  /** The response status of each recorded attempt; null for an attempt without a response. */
  readonly attempts: readonly (number | null)[];
}

/** A request as a receiver logged it. */
export interface Received {
  readonly arrivedAt: number;
  readonly respondedAt: number;
  readonly path: string;
  /** The `webhook-id` header. */
  readonly id: string;
  readonly body: string;
  readonly status: number;
  /** Why the signature is invalid; null if it is valid. */
  readonly problem: string | null;
}

/** The event ids that two readers of `GET /events` got: one during the run, the other afterwards. */
export interface Feeds {
  readonly during: readonly string[];
  readonly after: readonly string[];
}

/** A file that a client uploaded and got a success for. */
export interface UploadedFile {
  readonly id: string;
  readonly entryId: string;
  readonly sha256: string;
  /** Whether the file contains a virus that the scanner knows. */
  readonly isInfected: boolean;
  /** Whether the file was deleted; null if the deletion got no response. */
  readonly isDeleted: boolean | null;
}

/** What a client got when it downloaded a file by its URL. */
export interface DownloadedFile {
  readonly fileId: string;
  /** The hash of the content; null if the download was rejected. */
  readonly sha256: string | null;
  /** Whether it began after the response to a deletion. */
  readonly afterDeletion: boolean;
}

/** A row of `files`, with the hash of the bytes that are stored under its key. */
export interface FileRow {
  readonly id: string;
  readonly entryId: string;
  readonly status: 'UPLOADING' | 'STORED';
  readonly scanStatus: string;
  readonly sha256: string | null;
  /** Null if nothing is stored. */
  readonly storedSha256: string | null;
}

/** A file that the value of a field names. */
export interface AttachedFile {
  readonly entryId: string;
  readonly fileId: string;
}

/** The report of `admin files check`: keys without bytes, and keys without rows, before and after removal. */
export interface StoreReport {
  readonly rowsWithoutBytes: readonly string[];
  readonly orphans: readonly string[];
  readonly left: readonly string[];
}

/** The kinds of faults. */
export type FaultKind = 'kill' | 'stop' | 'restart' | 'stall' | 'outage';

/** A fault that was injected: from when to when its target did not work. */
export interface InjectedFault {
  readonly kind: FaultKind;
  /** Such as `worker 1`, `PostgreSQL`. */
  readonly target: string;
  /** How it was logged. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** A promise of the service that the history contradicts. */
export interface Violation {
  /** The violated rule. Rules that begin with `lost` count as losses. */
  readonly rule: string;
  readonly detail: string;
}
