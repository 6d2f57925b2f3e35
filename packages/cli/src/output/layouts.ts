import { contract } from '@runward/contract';
import { layout } from './cells.ts';

const { dataSources, events, files, portals, runs, savedViews, templates, webhooks } = contract;

/** The layout of a run in a list. */
export const runLine = layout(runs.list.response.shape.data.element, [
  'id',
  'publicId',
  'status',
  'scheduledDateLocal',
  'title',
]);

/** The layout of a run that was just launched. */
export const launchedRun = layout(runs.launch.response, ['id', 'publicId', 'status', 'title', 'createdAt']);

/** The layout of a run; its tasks are printed as a table of their own. */
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
  'updatedAt',
]);

/** The layout of a task in the list of a run. */
export const runTask = layout(runs.get.response.shape.tasks.element.omit({ entries: true }), [
  'runTaskId',
  'status',
  'required',
  'dueAt',
  'title',
]);

/** The layout of a task in a list over several runs. */
export const taskLine = layout(contract['runs.tasks'].list.response.shape.data.element, [
  'runTaskId',
  'status',
  'deadlineAt',
  'title',
  'runTitle',
]);

const listed = ['runTaskId', 'title', 'status', 'runId', 'runTitle'];

/** The layout of a task after a decision on its approval. */
export const decidedTask = layout(contract['runs.tasks'].approve.response, listed);

/** The layout of a task that was unblocked. */
export const unblockedTask = layout(contract['runs.tasks'].forceUnblock.response, listed);

/** The layout of a single task. */
export const oneTask = {
  ...runTask,
  columns: ['runTaskId', 'title', 'status', 'required', 'dueAt', 'dueAtHasTime', 'assigneeId', 'assigneeGroupId'],
};

/** The layout of an item of a run's activity log. */
export const activity = layout(runs.activity.response.shape.data.element, ['sequence', 'at', 'type', 'runTaskId']);

/** The layout of a template. */
export const template = layout(templates.get.response, ['id', 'status', 'hasUnpublishedChanges', 'updatedAt', 'name']);

/** The layout of a share of a template. */
export const share = layout(contract['templates.shares'].list.response.shape.data.element, [
  'id',
  'status',
  'tokenPrefix',
  'expiresAt',
  'importCount',
  'name',
]);

/** The layout of a share with its new token. */
export const newShare = layout(contract['templates.shares'].create.response, ['id', 'token', 'expiresAt', 'name']);

/** The layout of a published version. */
export const version = layout(templates.publish.response, ['templateId', 'id', 'number', 'note', 'publishedAt']);

/** The layout of a saved view. */
export const view = layout(savedViews.get.response, ['id', 'visibility', 'name', 'filters']);

/** The layout of a webhook. */
export const webhook = layout(webhooks.get.response, [
  'id',
  'enabled',
  'name',
  'url',
  'enabledEvents',
  'disabledReason',
]);

/** The layout of a delivery. */
export const delivery = layout(webhooks.test.response, ['id', 'webhookId', 'event', 'status', 'nextAttemptAt']);

/** The layout of a delivery in a list. */
export const deliveryLine = { ...delivery, columns: ['id', 'webhookId', 'event', 'status', 'createdAt'] };

/** The layout of the result of a replay. */
export const replay = layout(webhooks.replay.response, ['dryRun', 'count']);

/** The layout of an event. All events have these properties. */
export const event = layout(events.list.response.shape.data.element.options[0], ['timestamp', 'event', 'deliveryId']);

/** The layout of a data source. */
export const dataSource = layout(dataSources.get.response, ['id', 'name', 'rowCount', 'updatedAt']);

/** The layout of a file. */
export const file = layout(files.confirm.response, ['id', 'scanStatus', 'size', 'contentType', 'fileName']);

/** The layout of a file that was saved. */
export const savedFile = {
  columns: ['path', 'size', 'contentType', 'sha256'],
  fields: ['path', 'size', 'contentType', 'sha256'],
};

/** The layout of the result of a virus scan. */
export const scanResult = layout(files.scanStatus.response, ['status', 'signature', 'scannedAt']);

/** The layout of a portal. */
export const portal = layout(portals.get.response, [
  'id',
  'slug',
  'status',
  'audience',
  'pageCount',
  'hasUnpublishedChanges',
  'name',
]);

const pageColumns = ['id', 'slug', 'position', 'hasUnpublishedChanges', 'publishedAt', 'title'];

/** The layout of a page of a portal in a list. */
export const pageLine = layout(contract['portals.pages'].list.response.shape.data.element, pageColumns);

/** The layout of a page of a portal. */
export const portalPage = layout(contract['portals.pages'].get.response, [...pageColumns, 'blocks']);
