import type { DeliveryPayload } from '@runward/contract';
import { hashBeforeFirst, hashOf } from '@runward/engine';
import type { ActivityRow, EventRow, History } from '../history/history.ts';

/** The launch time of the run, in epoch milliseconds. */
export const began = Date.parse('2026-01-05T12:00:00.000Z');
/** The time of the last observation. It is late enough for everything to be delivered and detected. */
export const end = began + 600_000;

/** A history that a test may change. */
export type MutableHistory = { -readonly [Key in keyof History]: Mutable<History[Key]> };
type Mutable<Value> = Value extends readonly (infer Item)[]
  ? { -readonly [Key in keyof Item]: Item[Key] }[]
  : Value extends object
    ? { -readonly [Key in keyof Value]: Mutable<Value[Key]> }
    : Value;

/** A history without violations: one run of two tasks, the second one overdue, and a webhook for all of its events. */
export function smallHistory(): MutableHistory {
  const runId = 'run-1';
  const title = 'Chaos 1';
  const fact = (sequence: number, type: string, after: number, runTaskId: string | null = null) => {
    const deadlineAt = /due/.test(type) && runTaskId !== null ? began + 5_000 : null;
    return { runId, sequence, type, at: began + after, runTaskId, deadlineAt };
  };
  const activity = chained([
    fact(1, 'run.started', 0),
    fact(2, 'task.due_date_changed', 1_000, 'task-2'),
    fact(3, 'task.completed', 2_000, 'task-1'),
    fact(4, 'task.overdue', 20_000, 'task-2'),
    fact(5, 'run.overdue', 20_000),
  ]);
  const events = activity.filter(({ type }) => /started|completed|task.overdue/.test(type)).map(eventOf);
  const operation = (sequence: number, name: string) => {
    const { at, type, runTaskId } = activity[sequence - 1] ?? fact(0, '', 0);
    return { at, key: `key-${sequence}`, name, title, runId, status: 200, facts: [{ type, runTaskId }] };
  };
  return {
    operations: [operation(1, 'launch'), operation(2, 'set due date'), operation(3, 'complete task')],
    runs: [
      {
        id: runId,
        title,
        status: 'OVERDUE',
        activityCount: 5,
        activityHash: activity.at(-1)?.line.hash ?? '',
        versionId: 'version-1',
        rulesVersionId: null,
      },
    ],
    tasks: [
      { id: 'task-1', runId, status: 'COMPLETED', place: 'current' },
      { id: 'task-2', runId, status: 'PENDING', place: 'current' },
    ],
    ruleSyncs: [{ templateId: 'template', status: 'COMPLETED', total: 1, processed: 1 }],
    approvalTaskIds: [],
    activity,
    events,
    webhooks: [
      {
        id: 'hook-1',
        path: '/all',
        enabled: true,
        ordered: true,
        events: ['run.started', 'task.completed', 'task.overdue'],
      },
      { id: 'hook-2', path: '/none', enabled: true, ordered: false, events: ['run.cancelled'] },
    ],
    deliveries: events.map(({ id }) => ({
      id,
      webhookId: 'hook-1',
      status: 'SUCCEEDED',
      attempts: [500, 200],
    })),
    received: events.flatMap(({ id, body }, index) =>
      [500, 200].map((status, attempt) => {
        const arrivedAt = began + index * 10_000 + attempt * 1_000;
        return { arrivedAt, respondedAt: arrivedAt + 5, path: '/all', id, body, status, problem: null };
      }),
    ),
    uploads: [
      { id: 'file-1', entryId: 'entry-1', sha256: 'a', isInfected: false, isDeleted: false },
      { id: 'file-2', entryId: 'entry-1', sha256: 'b', isInfected: false, isDeleted: true },
    ],
    downloads: [
      { fileId: 'file-1', sha256: 'a', afterDeletion: false },
      { fileId: 'file-2', sha256: null, afterDeletion: true },
    ],
    files: [
      { id: 'file-1', entryId: 'entry-1', status: 'STORED', scanStatus: 'CLEAN', sha256: 'a', storedSha256: 'a' },
    ],
    attached: [{ entryId: 'entry-1', fileId: 'file-1' }],
    counters: [],
    store: { rowsWithoutBytes: [], orphans: ['files/left'], left: [] },
    feeds: { during: events.map(({ id }) => id), after: events.map(({ id }) => id) },
    rows: { operations: [], counts: { rowCount: 0, activeRowCount: 0 }, rows: [] },
    portal: { changes: [], visits: [] },
    admin: { changes: [], visits: [], members: [], links: [], lines: [], brokenLog: null },
    keys: { revocations: [], requests: [] },
    mail: { members: [], approverIds: [], notifications: [], mails: [], received: [] },
    console: { memberIds: [], forms: [], problems: [], entries: [] },
    faults: [],
    failures: [],
    exits: ['api 1', 'worker 1'].map((name) => ({
      name,
      startedAt: began,
      at: end,
      code: 0,
      signal: null,
      cause: 'stop',
      tookMs: 2_000,
      wasReady: true,
    })),
    attempts: 3,
  };
}

const launched = { templateVersionId: 'version-1', tasks: [{ runTaskId: 'task-1' }, { runTaskId: 'task-2' }] };

function chained(facts: readonly Omit<ActivityRow, 'line'>[]): ActivityRow[] {
  let previous = hashBeforeFirst;
  return facts.map((fact) => {
    const { sequence, type, runTaskId } = fact;
    const actor = { type: 'SYSTEM' as const, userId: null, apiKeyId: null };
    const at = new Date(fact.at).toISOString();
    const line = {
      id: `line-${sequence}`,
      sequence,
      type,
      at,
      actor,
      runTaskId,
      data: type === 'run.started' ? launched : {},
    };
    previous = hashOf(previous, line);
    return { ...fact, line: { ...line, hash: previous } };
  });
}

function eventOf({ runId, sequence, type, at, runTaskId }: ActivityRow): EventRow {
  const id = `event-${sequence}`;
  const task = runTaskId === null ? {} : { runTaskId, taskId: 'task' };
  const body = {
    event: type as DeliveryPayload['event'],
    deliveryId: id,
    timestamp: new Date(at).toISOString(),
    orgId: 'org',
    data: { runId, templateId: 'template', ...task, sequence },
  };
  return { id, runId, sequence, event: type, body: JSON.stringify(body), position: sequence };
}
