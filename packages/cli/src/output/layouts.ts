import type { Layout } from './cells.ts';
import { fields } from '../generated/fields.ts';

/** The layout of what an operation returns. `plural` is what several of them are called. */
export function layout(operation: keyof typeof fields, columns: readonly string[], plural?: string): Layout {
  return { columns, fields: fields[operation], plural };
}

/** The layout of a run in a list. */
export const runLine = layout('runs.list', ['id', 'publicId', 'status', 'scheduledDateLocal', 'title'], 'runs');

/** The layout of a run that was just launched. */
export const launchedRun = layout('runs.launch', ['id', 'publicId', 'status', 'title', 'createdAt']);

/** The layout of a run; its tasks are printed as a table of their own. */
export const run = layout('runs.get', [
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
  'updatedAt',
]);

/** The layout of a task in the list of a run. */
export const runTask = layout('runs.get.tasks', ['runTaskId', 'status', 'required', 'dueAt', 'title'], 'tasks');

/** The layout of a task in a list over several runs. */
export const taskLine = layout('runs.tasks.list', ['runTaskId', 'status', 'deadlineAt', 'title', 'runTitle'], 'tasks');

const listed = ['runTaskId', 'title', 'status', 'runId', 'runTitle'];

/** The layout of a task after a decision on its approval. */
export const decidedTask = layout('runs.tasks.approve', listed);

/** The layout of a task that was unblocked. */
export const unblockedTask = layout('runs.tasks.forceUnblock', listed);

/** The layout of a single task. */
export const oneTask = {
  ...runTask,
  columns: ['runTaskId', 'title', 'status', 'required', 'dueAt', 'dueAtHasTime', 'assigneeId', 'assigneeGroupId'],
};

/** The layout of an item of a run's activity log. */
export const activity = layout('runs.activity', ['sequence', 'at', 'type', 'runTaskId']);

/** The layout of a template. */
export const template = layout(
  'templates.get',
  ['id', 'status', 'hasUnpublishedChanges', 'updatedAt', 'name'],
  'templates',
);

/** The layout of a share of a template. */
export const share = layout(
  'templates.shares.list',
  ['id', 'status', 'tokenPrefix', 'expiresAt', 'importCount', 'name'],
  'shares',
);

/** The layout of a share with its new token. */
export const newShare = layout('templates.shares.create', ['id', 'token', 'expiresAt', 'name']);

/** The layout of a published version. */
export const version = layout('templates.publish', ['templateId', 'id', 'number', 'note', 'publishedAt']);

/** The layout of a saved view. */
export const view = layout('savedViews.get', ['id', 'visibility', 'name', 'filters'], 'saved views');

/** The layout of a webhook. */
export const webhook = layout(
  'webhooks.get',
  ['id', 'enabled', 'name', 'url', 'enabledEvents', 'disabledReason'],
  'webhooks',
);

/** The layout of a delivery. */
export const delivery = layout('webhooks.test', ['id', 'webhookId', 'event', 'status', 'nextAttemptAt']);

/** The layout of a delivery in a list. */
export const deliveryLine: Layout = {
  columns: ['id', 'webhookName', 'event', 'status', 'attemptCount', 'lastResult', 'nextAttemptAt', 'createdAt'],
  fields: [...delivery.fields, 'webhookName', 'attemptCount', 'lastResult'],
  plural: 'deliveries',
};

/** The layout of the result of a replay. */
export const replay = layout('webhooks.replay', ['dryRun', 'count']);

/** The layout of an event. All events have these properties. */
export const event = layout('events.list', ['timestamp', 'event', 'deliveryId']);

/** The layout of a data source. */
export const dataSource = layout('dataSources.get', ['id', 'name', 'rowCount', 'updatedAt'], 'data sources');

/** The layout of a file. */
export const file = layout('files.confirm', ['id', 'scanStatus', 'size', 'contentType', 'fileName'], 'files');

/** The layout of a file that was saved. */
export const savedFile = {
  columns: ['path', 'size', 'contentType', 'sha256'],
  fields: ['path', 'size', 'contentType', 'sha256'],
};

/** The layout of the result of a virus scan. */
export const scanResult = layout('files.scanStatus', ['status', 'signature', 'scannedAt']);

/** The layout of a portal. */
export const portal = layout(
  'portals.get',
  ['id', 'slug', 'status', 'audience', 'pageCount', 'hasUnpublishedChanges', 'name'],
  'portals',
);

const pageColumns = ['id', 'slug', 'position', 'hasUnpublishedChanges', 'publishedAt', 'title'];

/** The layout of a page of a portal in a list. */
export const pageLine = layout('portals.pages.list', pageColumns, 'pages');

/** The layout of a page of a portal. */
export const portalPage = layout('portals.pages.get', [...pageColumns, 'blocks']);
