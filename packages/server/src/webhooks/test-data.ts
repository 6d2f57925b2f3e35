import { randomUUID } from 'node:crypto';
import { eventData, type EventName } from '@runward/contract';
import type { RequestContext } from '../access/request-context.ts';
import { RunTask } from '../runs/entities/run-task.ts';
import { Run } from '../runs/entities/run.ts';
import { loadDocument } from '../templates/load-document.ts';
import type { Webhook } from './entities/webhook.ts';

/**
 * The `data` of a test delivery: the data of the event, with `test: true`, by which receivers recognize it. Ids and
 * titles belong to the latest run of the webhook's templates and its first task, or are made up if there is no such
 * run. `templateId` is the template of that run.
 */
export async function testData(
  { em, actor: { organizationId } }: Pick<RequestContext, 'em' | 'actor'>,
  { templateMode, templateIds }: Pick<Webhook, 'templateMode' | 'templateIds'>,
  event: EventName,
): Promise<{ templateId: string | null; data: object }> {
  const templates = templateMode === 'SELECTED_TEMPLATES' ? { templateId: { $in: templateIds } } : {};
  const run = await em.findOne(Run, { organizationId, ...templates }, { orderBy: { id: 'desc' } });
  const first = run && (await em.findOne(RunTask, { organizationId, runId: run.id }, { orderBy: { position: 'asc' } }));
  const document = run && (await loadDocument(em, organizationId, run.templateVersionId));
  const taskTitle = document?.tasks.find(({ id }) => id === first?.taskId)?.title ?? 'Example';
  const person = { id: randomUUID(), name: 'Ada Example', email: 'ada@example.com' };
  const known: Readonly<Record<string, unknown>> = {
    test: true,
    runId: run?.id ?? randomUUID(),
    templateId: run?.templateId ?? randomUUID(),
    sequence: 1,
    runTaskId: first?.id ?? randomUUID(),
    taskId: first?.taskId ?? randomUUID(),
    executionEntryId: randomUUID(),
    actorUserId: randomUUID(),
    comment: null,
    runTitle: run?.title ?? 'Example',
    runPublicId: run?.publicId ?? 'RUN-EXAMPLE',
    taskTitle,
    assignee: person,
    assigneeGroup: null,
    dueAt: null,
    ready: true,
    approvers: [person],
    approverGroups: [],
    commentId: randomUUID(),
    text: 'A comment.',
    author: person,
    mentions: { users: [person], groups: [] },
  };
  const wanted = Object.keys(eventData[event].shape);
  const data = Object.fromEntries(wanted.map((name) => [name, known[name]]));
  return { templateId: run?.templateId ?? null, data };
}
