import { randomUUID } from 'node:crypto';
import { must } from '@runward/testing/process';
import { consolePages } from '../../../src/pages/console/console-pages.ts';
import type { Page } from '../../../src/pages/page.ts';
import { newImage } from '../world/files.ts';
import { newPasskeyId } from '../world/passkeys.ts';
import { newApiKeyId, newSessionId } from '../world/people.ts';
import { newFormLinkId } from '../world/views.ts';
import { newWebhookId, newWebhookWithSecret } from '../world/webhooks.ts';
import { newCommentId, newFolderId, newRunIds, type Ids } from '../world/world.ts';
import { memberSamples } from './member-pages.ts';
import { administrators, noFields, type Fields, type Sample } from './sample.ts';

const hour = '2026-03-02T09:00';

const otherVersion: Sample['fields'] = async ({ template: id, version }, { api }) => {
  const { data } = await must(api.call('templates.versions', 'list', { params: { id } }));
  return { to: data.find((each) => each.id !== version)?.id ?? '' };
};
const organization: Sample['fields'] = async (_, { session }) => {
  const { headers } = await session.call('organization', 'get');
  return {
    name: 'Renamed',
    timezone: 'Europe/Berlin',
    remindBefore: 'PT4H',
    version: headers.get('etag')?.slice(1, -1) ?? '',
  };
};
const webhook = ({ template }: Ids) => ({
  name: 'Payroll',
  url: 'http://127.0.0.1:9/hook',
  enabledEvents: 'run.started',
  templateIds: template,
});
const ownWebhook: Sample['before'] = async (world) => ({ webhook: await newWebhookId(world, world.ids.template) });
const run: Sample['before'] = (world) => newRunIds(world, world.ids.template);

const comment: Sample['before'] = async (world) => ({ comment: await newCommentId(world, world.ids.runTask) });

const samples: Readonly<Record<string, Sample>> = {
  console: {},
  consoleSearch: { query: () => ({ q: 'a', members: 'all' }) },
  consoleTasks: { query: () => ({ show: 'group' }) },
  consoleTask: { query: ({ entry }) => ({ entry }) },
  submitConsoleTask: {
    fields: ({ field }) => ({ action: 'save', [`f-${field}`]: 'An answer', [`seen-f-${field}`]: '' }),
    before: run,
  },
  consoleCreateFormLink: { fields: () => ({ email: `${randomUUID()}@supplier.example` }), before: run },
  consoleRevokeFormLink: {
    fields: noFields,
    before: async (world) => {
      const ids = await newRunIds(world, world.ids.template);
      return { ...ids, formLink: await newFormLinkId(world, ids.runTask) };
    },
  },
  consoleUpload: {},
  submitConsoleUpload: { fields: ({ fileField }) => ({ field: fileField }), before: run },
  consoleRuns: {
    query: ({ template, member, folder }) => ({ templateIds: template, assigneeIds: member, folderIds: folder }),
  },
  consoleAskForBulk: { query: (ids) => ({ action: 'assign', run: ids.run }) },
  consoleChangeRuns: { fields: (ids) => ({ action: 'cancel', run: ids.run, count: '1' }), before: run },
  consoleRun: {},
  consoleAskForChange: { query: ({ runTask }) => ({ do: 'unblock', task: runTask }) },
  consoleChangeRun: { fields: () => ({ do: 'rename', title: 'Renamed' }), before: run },
  consoleMigration: { query: ({ version }) => ({ to: version }) },
  consoleMigrate: { fields: otherVersion, before: run },
  consoleRunComments: {},
  consoleCommentOnRun: { fields: () => ({ text: 'A comment' }), before: run },
  consoleTaskComments: {},
  consoleCommentOnTask: { fields: () => ({ text: 'A comment' }), before: run },
  consoleComment: {},
  consoleEditComment: { fields: () => ({ text: 'Another text' }), before: comment },
  consoleCommentDeletion: {},
  consoleDeleteComment: { fields: noFields, before: comment },
  consoleTemplates: {},
  consoleLaunch: {},
  consoleSubmitLaunch: { fields: (_, { org }) => ({ title: 'Launched', ownerEmail: org.ownerEmail }) },
  consoleAccount: {},
  consoleChangePassword: {
    fields: (_, { org: { ownerPassword } }) => ({
      currentPassword: ownerPassword,
      newPassword: ownerPassword,
      repeatedPassword: ownerPassword,
    }),
  },
  consoleChangeNotifications: { fields: () => ({ ASSIGNED: 'DIGEST', digestHour: '9' }) },
  consoleRenamePasskey: { fields: () => ({ name: 'Renamed' }) },
  consoleRemovePasskey: {
    fields: noFields,
    before: async (world) => ({ passkey: await newPasskeyId(world, world.ids.passkey) }),
  },
  consoleEndOtherSessions: { fields: noFields, before: async (world) => ({ session: await newSessionId(world) }) },
  consoleEndSession: { fields: noFields, before: async (world) => ({ session: await newSessionId(world) }) },
  consoleOrganization: administrators,
  consoleChangeOrganization: { ...administrators, fields: organization },
  ...memberSamples,
  consoleFolders: {},
  consoleCreateFolder: { fields: () => ({ name: 'Created' }) },
  consoleFolder: {},
  consoleRenameFolder: { fields: () => ({ name: 'Renamed' }) },
  consoleMoveTemplates: {
    fields: ({ template, folder }) => ({ template, to: folder }),
    before: async (world) => ({ folder: await newFolderId(world) }),
  },
  consoleFolderDeletion: {},
  consoleDeleteFolder: { fields: noFields, before: async (world) => ({ folder: await newFolderId(world) }) },
  consoleMails: { ...administrators, query: ({ member }) => ({ userId: member }) },
  consoleMail: administrators,
  consoleResendMail: { ...administrators, fields: noFields },
  consoleAuditLog: { ...administrators, query: ({ owner, member }) => ({ actorId: owner, targetId: member }) },
  consoleKeys: administrators,
  consoleNewKey: administrators,
  consoleCreateKey: {
    ...administrators,
    fields: ({ template }) => ({ name: 'Created', scopes: 'runs:read', scopedTemplateIds: template }),
  },
  consoleRevokeKey: administrators,
  consoleRevokedKey: {
    ...administrators,
    fields: noFields,
    before: async (world) => ({ apiKey: await newApiKeyId(world) }),
  },
  consoleWebhooks: {},
  consoleDeliveries: { query: (ids) => ({ webhookId: ids.webhook, event: 'run.started' }) },
  consoleNewWebhook: {},
  consoleCreateWebhook: { fields: webhook },
  consoleWebhook: {},
  consoleEditWebhook: {},
  consoleUpdateWebhook: { fields: webhook, before: ownWebhook },
  consoleEnableWebhook: { fields: () => ({ enabled: 'false' }), before: ownWebhook },
  consoleTestWebhook: { fields: () => ({ event: 'run.started' }) },
  consoleDeleteWebhook: {},
  consoleDeletedWebhook: { fields: noFields, before: ownWebhook },
  consoleWebhookSecret: {},
  consoleRotateWebhookSecret: {
    fields: () => ({ overlapHours: '0', confirmed: 'yes' }),
    before: async (world) => ({ webhook: await newWebhookWithSecret(world) }),
  },
  consoleReplay: { query: () => ({ from: hour }) },
  consoleReplayed: { fields: () => ({ from: hour, count: '0' }) },
  consoleDelivery: {},
  consoleResend: { fields: noFields },
  consoleSecret: administrators,
  consoleRotateSecret: { ...administrators, fields: () => ({ overlapHours: '0', confirmed: 'yes' }) },
  consoleFile: {},
};

/** What the parameter of a path is the id of, by the fixed segments before it. */
const subjects: Readonly<Record<string, keyof Ids>> = {
  tasks: 'runTask',
  'tasks/form-links': 'formLink',
  'tasks/files': 'file',
  runs: 'run',
  comments: 'comment',
  launch: 'template',
  'account/passkeys': 'passkey',
  'account/sessions': 'session',
  members: 'member',
  grants: 'grant',
  groups: 'group',
  folders: 'folder',
  keys: 'apiKey',
  mails: 'mail',
  webhooks: 'webhook',
  'webhooks/deliveries': 'delivery',
};

/** A page of the console, and what the sweeps know about it. */
export interface SampledPage extends Sample {
  readonly name: string;
  readonly page: Page;
}

/** Every page of the console. Throws if the table above says nothing about one. */
export const sampledPages: readonly SampledPage[] = Object.entries(consolePages).map(([name, page]) => {
  const sample = samples[name];
  const where = 'in test/support/sweep/console-pages.ts';
  if (!sample) throw new Error(`Add ${name} to the samples ${where}: who may open it, and which ids it reads.`);
  if (page.method === 'POST' && !sample.fields) throw new Error(`Say ${where} which fields the form ${name} takes.`);
  return Object.assign({ name, page }, sample);
});

/** Every form of the console. */
export const sampledForms = sampledPages.filter(({ page }) => page.method === 'POST');

/** The path of a page with an id in the place of each parameter. */
export function pathOf({ page }: Pick<SampledPage, 'page'>, idOf: (subject: keyof Ids) => string): string {
  const fixed: string[] = [];
  const segments = page.path.split('/').map((segment) => {
    if (!segment.startsWith(':')) {
      if (segment !== '' && segment !== 'console') fixed.push(segment);
      return segment;
    }
    const subject = subjects[fixed.join('/')];
    if (!subject) throw new Error(`Say in test/support/sweep/console-pages.ts what ${segment} of ${page.path} is.`);
    return idOf(subject);
  });
  return segments.join('/');
}

/** The query of a page with these ids, with its question mark; empty if there is none. */
export function searchOf({ query }: Pick<SampledPage, 'query'>, ids: Ids): string {
  return query ? `?${new URLSearchParams(query(ids)).toString()}` : '';
}

/** A form as browsers send it: with a picture if it takes a file. */
export function bodyOf({ page }: Pick<SampledPage, 'page'>, fields: Fields): URLSearchParams | FormData {
  if (page.maximumFileBytes === undefined) return new URLSearchParams(fields);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', newImage());
  return form;
}
