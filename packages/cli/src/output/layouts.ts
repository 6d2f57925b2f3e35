import { contract } from '@runward/contract';
import { layout } from './cells.ts';

const { events, runs, templates, webhooks } = contract;

/** How a line of a list of runs is shown. */
export const runLine = layout(runs.list.response.shape.data.element, [
  'id',
  'publicId',
  'status',
  'scheduledDateLocal',
  'title',
]);

/** How a run that was just launched is shown. */
export const launchedRun = layout(runs.launch.response, ['id', 'publicId', 'status', 'title', 'createdAt']);

/** How a run is shown; its tasks follow as a table. */
export const run = layout(runs.get.response, [
  'id',
  'publicId',
  'title',
  'status',
  'templateId',
  'templateVersionId',
  'ownerUserId',
  'scheduledDateLocal',
  'createdAt',
  'completedAt',
  'cancelledAt',
  'archivedAt',
]);

/** How a task of a run is shown. */
export const runTask = layout(runs.get.response.shape.tasks.element, [
  'runTaskId',
  'status',
  'required',
  'dueAt',
  'title',
]);

/** How one task is shown by itself. */
export const oneTask = {
  ...runTask,
  columns: ['runTaskId', 'title', 'status', 'required', 'dueAt', 'dueAtHasTime', 'assigneeId', 'assigneeGroupId'],
};

/** How a line of a run's activity is shown. */
export const activity = layout(runs.activity.response.shape.data.element, ['sequence', 'at', 'type', 'runTaskId']);

/** How a template is shown. */
export const template = layout(templates.get.response, ['id', 'status', 'hasUnpublishedChanges', 'updatedAt', 'name']);

/** How a published version is shown. */
export const version = layout(templates.publish.response, ['templateId', 'id', 'number', 'note', 'publishedAt']);

/** How a webhook is shown. */
export const webhook = layout(webhooks.get.response, [
  'id',
  'enabled',
  'name',
  'url',
  'enabledEvents',
  'disabledReason',
]);

/** How a delivery is shown. */
export const delivery = layout(webhooks.test.response, ['id', 'webhookId', 'event', 'status', 'nextAttemptAt']);

/** How a line of a list of deliveries is shown. */
export const deliveryLine = { ...delivery, columns: ['id', 'webhookId', 'event', 'status', 'createdAt'] };

/** How the outcome of a replay is shown. */
export const replay = layout(webhooks.replay.response, ['dryRun', 'count']);

/** How an event is shown. */
export const event = layout(events.list.response.shape.data.element, ['timestamp', 'event', 'deliveryId']);
