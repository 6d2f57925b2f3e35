import { randomUUID } from 'node:crypto';
import type { DeliveryPayload, EventName } from '@runward/contract';

/** The `data` of a test delivery: the shape of the event, random ids, and `test: true`, by which receivers recognize it. */
export function testData(event: EventName): DeliveryPayload['data'] {
  const run = { test: true, runId: randomUUID(), templateId: randomUUID(), sequence: 1 };
  if (event.startsWith('run.')) return run;
  const task = { ...run, runTaskId: randomUUID(), taskId: randomUUID() };
  if (event.startsWith('task.')) return task;
  return { ...task, approvalId: randomUUID(), actorUserId: randomUUID(), comment: null };
}
