import type { Operation } from '@runward/contract';

/**
 * The operations of hand-written commands, with the words of the commands. All other operations have a generated
 * command.
 */
export const handMade: Readonly<Partial<Record<Operation, string>>> = {
  'runs.list': 'runs list',
  'runs.launch': 'runs launch',
  'runs.explain': 'runs explain',
  'runs.migrateToLatest': 'runs migrate',
  'runs.migrate': 'runs migrate',
  'runs.exportCsv': 'runs export',
  'runs.exportRunCsv': 'runs export',
  'runs.exportRunPdf': 'runs export',
  'runs.tasks.list': 'tasks list',
  'runs.tasks.setDueDate': 'tasks due',
  'runs.tasks.setAssignee': 'tasks assign',
  'runs.tasks.bulkUpdate': 'tasks update',
  'runs.tasks.approve': 'runs approve',
  'execution.submitForm': 'tasks complete',
  'execution.reopen': 'tasks reopen',
  'templates.get': 'templates get',
  'templates.draft.replace': 'templates apply',
  'templates.shares.create': 'templates share',
  'sharedTemplates.import': 'templates import',
  'dataSources.create': 'data create',
  'dataSources.rows.list': 'data rows',
  'dataSources.rows.bulkCreate': 'data import',
  'savedViews.create': 'views create',
  'savedViews.update': 'views update',
  'savedViews.runs': 'runs list',
  'analytics.summary': 'analytics',
  'analytics.advanced': 'analytics',
  'analytics.filtered': 'analytics',
  'analytics.advancedFiltered': 'analytics',
  'analytics.exportCsv': 'analytics',
  'analytics.exportPdf': 'analytics',
  'portals.pages.setBlocks': 'portals pages set',
  'webhooks.create': 'webhooks create',
  'webhooks.deliveries': 'webhooks deliveries',
  'webhooks.webhookDeliveries': 'webhooks deliveries',
  'webhooks.test': 'webhooks test',
  'webhooks.resend': 'webhooks resend',
  'webhooks.replay': 'webhooks replay',
  'files.list': 'files list',
  'files.downloadUrl': 'files download',
  'files.bulkDownloadZip': 'files zip',
  'files.transfer': 'files download',
  'files.receive': 'files upload',
  'files.directUpload': 'files upload',
  'files.uploadUrl': 'files upload',
  'files.confirm': 'files upload',
  'me.get': 'whoami',
  'me.tasks.list': 'tasks list',
};

/** Operations without a command. Signing in creates a session, but the command line uses API keys. */
export const without: ReadonlySet<string> = new Set<Operation>(['auth.login']);
