import type { DueBucket, Operation } from '@runward/contract';
import { fields } from '../generated/fields.ts';
import type { Layout } from './cells.ts';
import type { ColumnPriorities } from './table.ts';

/** The layout for records of a model. `plural` names several of them. */
export function layout(
  model: keyof typeof fields,
  columns: readonly string[],
  plural?: string,
  priorities: ColumnPriorities = {},
): Layout {
  return { columns, fields: fields[model], model, plural, ...priorities };
}

/** The layout of a run in a list. */
export const runLine = layout('RunListItem', ['id', 'publicId', 'status', 'scheduledDateLocal', 'title'], 'runs');

/** The layout of a run that was just launched. */
export const launchedRun = layout('LaunchedRun', ['id', 'publicId', 'status', 'title', 'createdAt']);

/** The layout of a task in the list of a run. */
export const runTask = layout('RunTask', ['runTaskId', 'status', 'required', 'dueAt', 'title'], 'tasks', {
  priority: ['title', 'status', 'dueAt', 'required'],
});

/** The layout of a run. */
export const run: Layout = {
  ...layout('Run', [
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
  ]),
  below: { field: 'tasks', layout: runTask },
};

/** What a narrow table of tasks keeps: commands take the public ID of a run and the title of a task. */
const taskPriority = ['runPublicId', 'title', 'status', 'deadlineAt', 'runTitle', 'reasons'];

/** The layout of a task in a list over several runs. */
export const taskLine = layout(
  'TaskListItem',
  ['runTaskId', 'runPublicId', 'status', 'deadlineAt', 'title', 'runTitle'],
  'tasks',
  { priority: taskPriority },
);

/** The layout of a task of the caller. */
export const myTask: Layout = {
  ...layout('MyTask', ['runTaskId', 'runPublicId', 'status', 'deadlineAt', 'reasons', 'title', 'runTitle'], 'tasks', {
    priority: taskPriority,
  }),
  groups: {
    field: 'due',
    headings: {
      OVERDUE: 'Overdue',
      TODAY: 'Today',
      THIS_WEEK: 'This week',
      LATER: 'Later',
      NONE: 'No date',
    } satisfies Record<DueBucket, string>,
  },
};

const changedTask = ['runTaskId', 'title', 'status', 'runId', 'runTitle'];

/** The layout of a task after a decision on its approval. */
export const decidedTask = layout('DecidedTask', changedTask);

/** The layout of a single task. */
export const oneTask = {
  ...runTask,
  columns: ['runTaskId', 'title', 'status', 'required', 'dueAt', 'dueAtHasTime', 'assigneeId', 'assigneeGroupId'],
};

/** The layout of an item of a run's activity log. */
export const activity = layout('Activity', ['sequence', 'at', 'type', 'runTaskId']);

/** The layout of a template. */
export const template = layout('Template', ['id', 'status', 'hasUnpublishedChanges', 'updatedAt', 'name'], 'templates');

/** The layout of a share with its new token. */
export const newShare = layout('NewTemplateShare', ['id', 'token', 'expiresAt', 'name']);

/** The layout of a saved view. */
export const view = layout('SavedView', ['id', 'visibility', 'name', 'filters'], 'saved views');

/** The layout of a webhook. */
export const webhook = layout(
  'Webhook',
  ['id', 'enabled', 'name', 'url', 'enabledEvents', 'disabledReason'],
  'webhooks',
);

/** The layout of a delivery. */
export const delivery = layout('Delivery', ['id', 'webhookId', 'event', 'status', 'nextAttemptAt']);

/** The layout of a delivery in a list. */
export const deliveryLine: Layout = {
  columns: ['id', 'webhookName', 'event', 'status', 'attemptCount', 'lastResult', 'nextAttemptAt', 'createdAt'],
  fields: [...delivery.fields, 'webhookName', 'attemptCount', 'lastResult'],
  model: delivery.model,
  plural: 'deliveries',
  priority: ['event', 'status', 'createdAt', 'webhookName', 'attemptCount', 'nextAttemptAt', 'lastResult'],
  whole: ['id', 'webhookName', 'event', 'status', 'createdAt', 'nextAttemptAt', 'lastResult'],
};

/** The layout of the result of a replay. */
export const replay = layout('ReplayResult', ['dryRun', 'count']);

/** The layout of an event. All events have these properties. */
export const event = layout('DeliveryPayload', ['timestamp', 'event', 'deliveryId']);

/** The layout of a data source. */
export const dataSource = layout('DataSource', ['id', 'name', 'rowCount', 'updatedAt'], 'data sources');

/** The layout of a file. */
export const file = layout('File', ['id', 'scanStatus', 'size', 'contentType', 'fileName'], 'files');

/** The layout of a file that was saved. */
export const savedFile = {
  columns: ['path', 'size', 'contentType', 'sha256'],
  fields: ['path', 'size', 'contentType', 'sha256'],
};

const pageColumns = ['id', 'slug', 'position', 'hasUnpublishedChanges', 'publishedAt', 'title'];

/** The layout of a page of a portal. */
export const portalPage = layout('PortalPage', [...pageColumns, 'blocks']);

const portal = layout(
  'Portal',
  ['id', 'slug', 'status', 'audience', 'pageCount', 'hasUnpublishedChanges', 'name'],
  'portals',
);

/** Layouts of generated commands. A command without one prints all fields, and lists print the generated columns. */
export const layouts: Readonly<Partial<Record<Operation, Layout>>> = {
  'runs.get': run,
  'runs.complete': run,
  'runs.activity': activity,
  'runs.tasks.forceUnblock': layout('TaskListItem', changedTask),
  'templates.list': template,
  'templates.publish': layout('TemplateVersion', ['templateId', 'id', 'number', 'note', 'publishedAt']),
  'templates.versions.list': layout('TemplateVersion', ['id', 'number', 'publishedAt', 'note'], 'versions'),
  'templates.runs.list': runLine,
  'templates.shares.list': layout(
    'TemplateShare',
    ['id', 'status', 'tokenPrefix', 'expiresAt', 'importCount', 'name'],
    'shares',
  ),
  'dataSources.list': dataSource,
  'savedViews.list': view,
  'savedViews.get': view,
  'portals.list': portal,
  'portals.get': portal,
  'portals.create': portal,
  'portals.publish': portal,
  'portals.unpublish': portal,
  'portals.pages.list': layout('PortalPageListItem', pageColumns, 'pages'),
  'portals.pages.get': portalPage,
  'portals.pages.create': portalPage,
  'webhooks.list': webhook,
};
