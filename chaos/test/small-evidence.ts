import type { DeliveryPayload } from '@runward/contract';
import type { ActivityRow, Evidence, EventRow } from '../evidence.ts';

/** When the run of the evidence was launched, and when it was last looked at; epoch milliseconds. */
export const began = Date.parse('2026-01-05T12:00:00.000Z');
/** Long enough after it for everything to have been said. */
export const end = began + 600_000;

/** Evidence that a test may spoil. */
export type Spoilable = { -readonly [Key in keyof Evidence]: Spoiled<Evidence[Key]> };
type Spoiled<Value> = Value extends readonly (infer Item)[]
  ? { -readonly [Key in keyof Item]: Item[Key] }[]
  : Value extends object
    ? { -readonly [Key in keyof Value]: Spoiled<Value[Key]> }
    : Value;

/** One run of two tasks, the second overdue, with a webhook for everything; nothing is wrong with it. */
export function smallEvidence(): Spoilable {
  const runId = 'run-1';
  const title = 'Chaos 1';
  const fact = (sequence: number, type: string, after: number, runTaskId: string | null = null): ActivityRow => {
    const deadlineAt = /due/.test(type) && runTaskId !== null ? began + 5_000 : null;
    return { runId, sequence, type, at: began + after, runTaskId, deadlineAt };
  };
  const activity = [
    fact(1, 'run.started', 0),
    fact(2, 'task.due_date_changed', 1_000, 'task-2'),
    fact(3, 'task.completed', 2_000, 'task-1'),
    fact(4, 'task.overdue', 20_000, 'task-2'),
    fact(5, 'run.overdue', 20_000),
  ];
  const events = activity.filter(({ type }) => /started|completed|task.overdue/.test(type)).map(eventOf);
  const deed = (sequence: number, operation: string) => {
    const { at, type, runTaskId } = activity[sequence - 1] ?? fact(0, '', 0);
    return { at, key: `key-${sequence}`, operation, title, runId, status: 200, facts: [{ type, runTaskId }] };
  };
  return {
    deeds: [deed(1, 'launch'), deed(2, 'set due date'), deed(3, 'complete task')],
    runs: [{ id: runId, title, status: 'OVERDUE', activityCount: 5 }],
    tasks: [
      { id: 'task-1', runId, status: 'COMPLETED' },
      { id: 'task-2', runId, status: 'PENDING' },
    ],
    activity,
    events,
    webhooks: [
      { id: 'hook-1', path: '/all', enabled: true, events: ['run.started', 'task.completed', 'task.overdue'] },
      { id: 'hook-2', path: '/none', enabled: true, events: ['run.cancelled'] },
    ],
    deliveries: events.map(({ id }) => ({
      id,
      webhookId: 'hook-1',
      status: 'SUCCEEDED',
      attempts: [500, 200],
      isLeased: false,
    })),
    received: events.flatMap(({ id, body }, index) =>
      [500, 200].map((status, attempt) => {
        const arrivedAt = began + index * 10_000 + attempt * 1_000;
        return { arrivedAt, answeredAt: arrivedAt + 5, path: '/all', id, body, status, problem: null };
      }),
    ),
    feeds: { during: events.map(({ id }) => id), after: events.map(({ id }) => id) },
    incidents: [],
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
    leasesAwaited: true,
  };
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
