import type { Endpoint } from '@runward/contract';
import { apiOf, type Api } from '@runward/testing/api';
import type { TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import type { SharedApp } from '@runward/testing/use-shared-app';
import { isSessionOnly } from '../sweep/endpoints.ts';
import { newShare } from '../templates.ts';
import { lookupOf, newDataSource } from './data-sources.ts';
import { newPhaseId, newRuleId, newTaskId, newVariableId, publishBlockedTask } from './drafts.ts';
import { newAssetId, newFileId, newFileToken, newUpload } from './files.ts';
import { newMailId } from './mails.ts';
import { newPasskeys } from './passkeys.ts';
import { newApiKeyId, newGrantId, newGroupId, newMemberId, newPasswordLinkToken, newSessionId } from './people.ts';
import { newPortalIds } from './portals.ts';
import { newFormLinkId, newViewId } from './views.ts';
import { deliveryIdOf, newWebhookId } from './webhooks.ts';

/** The id of one record of each kind. The version, the run and the webhook are of the template, and so on. */
export interface Ids {
  readonly folder: string;
  readonly template: string;
  readonly version: string;
  readonly phase: string;
  readonly task: string;
  /** Another task of the template's draft. */
  readonly prerequisite: string;
  readonly rule: string;
  readonly field: string;
  /** A FILE_UPLOAD field. */
  readonly fileField: string;
  /** A DATA_SOURCE field. */
  readonly lookupField: string;
  readonly variable: string;
  readonly share: string;
  readonly run: string;
  readonly runTask: string;
  /** On the task. */
  readonly comment: string;
  /** A link to the task of another run. */
  readonly formLink: string;
  readonly entry: string;
  readonly fieldValue: string;
  readonly dataSource: string;
  /** A RELATION column of the data source, to itself. */
  readonly column: string;
  /** Its TEXT column. */
  readonly nameColumn: string;
  readonly row: string;
  /** Another row of the data source. */
  readonly relatedRow: string;
  readonly view: string;
  readonly portal: string;
  readonly portalPage: string;
  readonly accessRule: string;
  readonly preset: string;
  readonly file: string;
  /** An image of the template. */
  readonly asset: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly mail: string;
  readonly owner: string;
  readonly member: string;
  readonly group: string;
  readonly grant: string;
  readonly apiKey: string;
  readonly session: string;
  /** The token of a password link, and bodies for passkeys as JSON. They can be used once. */
  readonly passwordLinkToken: string;
  readonly passkey: string;
  readonly passkeyCreation: string;
  readonly passkeySignIn: string;
}

/** One of everything in an organization, and who may call what. */
export interface World {
  readonly ids: Ids;
  readonly org: TestOrganization;
  readonly origin: string;
  /** With a key that may do everything. */
  readonly api: Api;
  /** The owner's browser. */
  readonly session: Api;
  /** Without key or session. */
  readonly nobody: Api;
  /** Leads to the template's background image. */
  readonly fileToken: string;
  /** Permits to upload a file of one byte. */
  readonly uploadToken: string;
  /** Of the share of the template. */
  readonly shareToken: string;
  /** Of the portal, which is published. */
  readonly portalSlug: string;
  /** Where webhooks may send to. */
  readonly receiverUrl: string;
}

/** Fills an organization with one of everything; nothing is on its way to the receiver any more. */
export async function newWorld(app: SharedApp, org: TestOrganization, receiverUrl: string): Promise<World> {
  const { api } = org;
  const session = await org.session();
  const world = { org, api, session, origin: app.baseUrl, nobody: apiOf(app.baseUrl, null), receiverUrl };

  const folder = await newFolderId(world);
  const data = await newDataSource(world);
  const form = {
    title: 'Company details',
    required: false,
    repeatable: true,
    fields: [
      { key: 'answer', label: 'VAT number', type: 'TEXT', searchable: true },
      { key: 'certificate', label: 'VAT certificate', type: 'FILE_UPLOAD' },
      { key: 'supplier', label: 'Supplier', type: 'DATA_SOURCE', dataSource: lookupOf(data) },
    ],
  } as const;
  const published = await publishProcess(api, [form], { folderId: folder, name: 'Supplier onboarding' }, [
    { key: 'surname', searchable: true, shownToGuests: true },
  ]);
  const { templateId: template } = published;
  const { 'Company details': task = '' } = published.taskIds;
  const version = await publishBlockedTask(world, template, task);
  const { id: field = '' } = published.fields['answer'] ?? {};
  const { id: fileField = '' } = published.fields['certificate'] ?? {};
  const { id: lookupField = '' } = published.fields['supplier'] ?? {};
  const phase = await newPhaseId(world, template);
  const variable = await newVariableId(world, template);
  const rule = await newRuleId(world, { template, task, field });
  const prerequisite = await newTaskId(world, template);
  const webhook = await newWebhookId(world, template);
  const view = await newViewId(world, template, folder);

  const { run, runTask } = await newRunIds(world, template);
  const entry = await newEntryId(world, runTask);
  await must(
    api.call('execution', 'submit', { body: { executionEntryId: entry, runTaskFieldId: field, value: 'DE811907980' } }),
  );
  const [opened] = (await must(api.call('execution', 'entries', { params: { runTaskId: runTask } }))).data;
  const fieldValue = opened?.fieldValues[0]?.id ?? '';
  const comment = await newCommentId(world, runTask);
  const formLink = await newFormLinkId(world, (await newRunIds(world, template)).runTask);
  const delivery = await deliveryIdOf(world, webhook);
  const mail = await newMailId(app, org);

  const member = await newMemberId(world);
  const group = await newGroupId(world, member);
  const grant = await newGrantId(world, { group, template });
  const apiKey = await newApiKeyId(world);
  const draft = { phase, task, prerequisite, rule, field, fileField, variable };
  const file = await newFileId(world, { entry, fileField });
  await until(async () => (await world.api.raw('GET', `/files/${file}/thumbnail`)).status === 200, 'the thumbnail');
  const { token: uploadToken } = await newUpload(world, { entry, fileField });
  const asset = await newAssetId(world, template);
  const fileToken = await newFileToken(world, template);
  const { id: share, token: shareToken } = await newShare(api, template);
  const ofRun = { run, runTask, comment, formLink, entry, fieldValue, lookupField };
  const { slug: portalSlug, ...ofPortal } = await newPortalIds(world, { template, folder, member });
  const parts = { folder, template, version, ...draft, share, ...ofRun, file, asset, ...data, ...ofPortal };
  return {
    ...world,
    fileToken,
    uploadToken,
    shareToken,
    portalSlug,
    ids: {
      ...parts,
      view,
      webhook,
      delivery,
      mail,
      owner: org.ownerUserId,
      member,
      group,
      grant,
      apiKey,
      session: await newSessionId(world),
      ...(await newPasskeys(world)),
      passwordLinkToken: await newPasswordLinkToken(world),
    },
  };
}

/** Who makes a call that is to be answered. */
export function callerOf(world: World, endpoint: Endpoint): Api {
  if (endpoint.access === 'public') return world.nobody;
  return isSessionOnly(endpoint) ? world.session : world.api;
}

/** The day that runs of a world are scheduled for. */
export const scheduledDate = '2026-03-02';

/** A world that is being filled. */
export type Builder = Omit<World, 'ids' | 'fileToken' | 'uploadToken' | 'shareToken' | 'portalSlug'>;

/** Makes a folder. */
export async function newFolderId({ api }: Builder): Promise<string> {
  return (await must(api.call('folders', 'create', { body: { name: 'Procurement' } }))).id;
}

/** Launches a run of the template; answers the ids of the run and its only task. */
export async function newRunIds({ api }: Builder, template: string): Promise<Pick<Ids, 'run' | 'runTask'>> {
  const { id: run, tasks } = await launchRun(api, template, { scheduledDateLocal: scheduledDate });
  const task = tasks.find(({ title }) => title.startsWith('Company details'));
  return { run, runTask: task?.runTaskId ?? '' };
}

/** Opens an entry of a task. */
export async function newEntryId({ api }: Builder, runTaskId: string): Promise<string> {
  return (await must(api.call('execution', 'open', { body: { runTaskId } }))).id;
}

/** Comments on a task. */
export async function newCommentId({ api }: Builder, taskId: string): Promise<string> {
  const body = { text: 'The supplier has moved to **Vienna**.' };
  return (await must(api.call('runs.tasks', 'comment', { params: { taskId }, body }))).id;
}
