import { type eventData, eventNames } from '@runward/contract';
import test from 'ava';
import {
  type ApprovalDueEventData,
  type ApprovalEventData,
  type CommentEventData,
  createReceiver,
  isKnownEvent,
  isTestEvent,
  type KnownEventName,
  knownEventNames,
  type RunEventData,
  type TaskEventData,
  verify,
  type WebhookEvent,
  type WebhookEventData,
  type WorkEventData,
} from '../src/index.ts';
import { delivery, payload, secret } from './support.ts';

type ContractData = typeof eventData;
type ContractDataOf<Name extends keyof ContractData> = {
  [Key in keyof ContractData[Name]['shape']]: ContractData[Name]['shape'][Key] extends { _zod: { output: infer Value } }
    ? Value
    : never;
};
type Equal<A, B> = [A, B] extends [B, A] ? true : false;
type DataEqual = {
  [Name in KnownEventName]: Equal<Omit<WebhookEventData[Name], 'test'>, Omit<ContractDataOf<Name>, 'test'>>;
};

// The compiler compares the data of every event, the test their names.
test('the known events are those of the contract', (t) => {
  const dataEqual: DataEqual = {
    'run.started': true,
    'run.completed': true,
    'run.cancelled': true,
    'run.reopened': true,
    'task.completed': true,
    'task.overdue': true,
    'approval.requested': true,
    'approval.granted': true,
    'approval.rejected': true,
    'task.assigned': true,
    'task.unassigned': true,
    'task.ready': true,
    'task.due_soon': true,
    'task.reopened': true,
    'approval.due_soon': true,
    'comment.created': true,
  };
  t.deepEqual([...knownEventNames], eventNames);
  t.deepEqual(Object.keys(dataEqual), eventNames);
});

test('the first known events are the nine of the specification', (t) => {
  t.deepEqual(knownEventNames.slice(0, 9).sort(), [
    'approval.granted',
    'approval.rejected',
    'approval.requested',
    'run.cancelled',
    'run.completed',
    'run.reopened',
    'run.started',
    'task.completed',
    'task.overdue',
  ]);
});

test('unknown events and keys are passed on unchanged', async (t) => {
  const body = payload({ event: 'run.paused', data: { reason: 'x', nested: { a: [1] } }, extra: true });
  const event = await received(body);
  t.false(isKnownEvent(event));
  t.deepEqual(event, JSON.parse(body));

  const known = payload({ data: { runId: 'r', templateId: 't', addedLater: 1 } });
  t.deepEqual(await received(known), JSON.parse(known));
});

test('a test delivery is recognized by isTestEvent, and passed only to onTest and onAny', async (t) => {
  const body = payload({ data: { runId: 'r', templateId: 't', test: true } });
  t.true(isTestEvent(await received(body)));
  t.false(isTestEvent(await received(payload({ data: { runId: 'r', templateId: 't' } }))));

  const seen: string[] = [];
  const receiver = createReceiver({ secret, onTest: ({ event }) => seen.push(event) })
    .on('run.completed', () => seen.push('on'))
    .onAny(() => seen.push('any'));
  const { headers } = await delivery(body);
  t.deepEqual(await receiver.handle({ rawBody: body, headers }), { status: 200, body: { result: 'test' } });
  t.deepEqual(seen, ['run.completed', 'any']);
});

test('names inherited from Object are not known events', async (t) => {
  t.false(isKnownEvent(await received(payload({ event: 'toString' }))));
});

// The compiler checks the types in `summary`.
test('isKnownEvent and the name narrow an event to its data', async (t) => {
  t.is(summary(await received(payload({ data: { runId: 'r', templateId: 't', sequence: 2 } }))), 'run r of t at 2');
  t.is(summary(await received(payload({ event: 'task.overdue', data: { runTaskId: 'k' } }))), 'task k');
  t.is(summary(await received(payload({ event: 'approval.rejected', data: { comment: null } }))), 'approval null');
  t.is(summary(await received(payload({ event: 'comment.created', data: { text: 'One' } }))), 'comment One');
  t.is(summary(await received(payload({ event: 'run.paused', data: { reason: 'x' } }))), 'unknown run.paused x');
});

function summary(event: WebhookEvent): string {
  if (!isKnownEvent(event))
    return `unknown ${event.event} ${String((event.data satisfies Record<string, unknown>)['reason'])}`;
  switch (event.event) {
    case 'run.started':
    case 'run.completed':
    case 'run.cancelled':
    case 'run.reopened':
      return `run ${(event.data satisfies RunEventData).runId} of ${event.data.templateId} at ${event.data.sequence}`;
    case 'task.completed':
    case 'task.overdue':
      return `task ${(event.data satisfies TaskEventData).runTaskId}`;
    case 'approval.requested':
    case 'approval.granted':
    case 'approval.rejected':
      return `approval ${String((event.data satisfies ApprovalEventData).comment)}`;
    case 'task.assigned':
    case 'task.unassigned':
    case 'task.ready':
    case 'task.due_soon':
    case 'task.reopened':
      return `${(event.data satisfies WorkEventData).taskTitle} of ${event.data.assignee?.name}`;
    case 'approval.due_soon':
      return `approval by ${(event.data satisfies ApprovalDueEventData).approvers.length}`;
    case 'comment.created':
      return `comment ${(event.data satisfies CommentEventData).text}`;
    default:
      return event satisfies never;
  }
}

async function received(body: string): Promise<WebhookEvent> {
  return verify(body, (await delivery(body)).headers, { secret });
}
