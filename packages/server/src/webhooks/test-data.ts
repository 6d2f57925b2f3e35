import { randomUUID } from 'node:crypto';
import type { DeliveryPayload, EventName } from '@runward/contract';
import type { RequestContext } from '../access/request-context.ts';
import { RunTask } from '../runs/entities/run-task.ts';
import { Run } from '../runs/entities/run.ts';
import type { Webhook } from './entities/webhook.ts';

/**
 * The `data` of a test delivery: the data of the event, with `test: true`, by which receivers recognize it. The ids
 * belong to the latest run of the webhook's templates and its first task, or are random if there is no such run.
 */
export async function testData(
  { em, actor: { organizationId } }: Pick<RequestContext, 'em' | 'actor'>,
  { templateMode, templateIds }: Pick<Webhook, 'templateMode' | 'templateIds'>,
  event: EventName,
): Promise<DeliveryPayload['data']> {
  const templates = templateMode === 'SELECTED_TEMPLATES' ? { templateId: { $in: templateIds } } : {};
  const latest = await em.findOne(Run, { organizationId, ...templates }, { orderBy: { id: 'desc' } });
  const { id: runId, templateId } = latest ?? { id: randomUUID(), templateId: randomUUID() };
  const run = { test: true as const, runId, templateId, sequence: 1 };
  if (event.startsWith('run.')) return run;
  const first = latest && (await em.findOne(RunTask, { organizationId, runId }, { orderBy: { position: 'asc' } }));
  const task = { ...run, runTaskId: first?.id ?? randomUUID(), taskId: first?.taskId ?? randomUUID() };
  if (event.startsWith('task.')) return task;
  return { ...task, executionEntryId: randomUUID(), actorUserId: randomUUID(), comment: null };
}
