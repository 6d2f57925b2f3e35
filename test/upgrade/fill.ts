import { randomUUID } from 'node:crypto';
import { newWorld, type World } from '@runward/server/test-support/world/world';
import { addMember } from '@runward/testing/members';
import { newTraveller } from '@runward/testing/openid/browser';
import type { ScriptedProvider } from '@runward/testing/openid/scripted-provider';
import type { TestOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import type { Provision } from '@runward/testing/provision';
import { until } from '@runward/testing/until';

/** The service that fills its database, and what is around it. */
export interface Surroundings {
  readonly baseUrl: string;
  readonly provision: Provision;
  readonly receiverUrl: string;
  readonly provider: ScriptedProvider;
}

/** Records for which a later version is asked. */
export interface FilledIds {
  /** A task that waits for an approval by the owner. */
  readonly approvalTask: string;
  /** A run with a form that nobody has filled in, and the field of the form. */
  readonly openRun: string;
  readonly openTask: string;
  readonly openField: string;
  readonly completedRun: string;
}

/** Fills every table through the API of a service with jobs. */
export async function fill(
  around: Surroundings,
  org: TestOrganization,
): Promise<{ readonly world: World; readonly ids: FilledIds }> {
  const { api } = org;
  await preferMail(org);
  const world = await newWorld(around, org, around.receiverUrl);
  await signInByProvider(around, org);
  const approvalTask = await requestApproval(org);
  const published = await publishProcess(api, [
    { title: 'Site visit', fields: [{ key: 'findings', label: 'Findings', type: 'TEXT', searchable: true }] },
  ]);
  await assignByColleague(around, org, published.templateId);
  const open = await launchOnce(api, published.templateId);
  const completed = await launchRun(api, published.templateId, { title: 'Visit in Graz' });
  await fillIn(api, completed.byTitle('Site visit').runTaskId, published.fields['findings']?.id ?? '');
  await relateRows(world);
  await publishTwice(world);
  const openTask = open.byTitle('Site visit').runTaskId;
  const openField = published.fields['findings']?.id ?? '';
  return { world, ids: { approvalTask, openRun: open.id, openTask, openField, completedRun: completed.id } };
}

async function preferMail(org: TestOrganization): Promise<void> {
  const session = await org.session();
  const body = { kinds: { OVERDUE: 'DIGEST' as const }, digestHour: 7 };
  await must(session.call('me.notifications', 'update', { body }));
}

/** Signs the owner in by the provider, which links the account. */
async function signInByProvider({ baseUrl, provider }: Surroundings, org: TestOrganization): Promise<void> {
  const { client } = newTraveller(newClient({ baseUrl }), baseUrl);
  const { headers } = await client.get('/sign-in/sso?next=');
  const claims = { sub: randomUUID(), email: org.ownerEmail, email_verified: true };
  const parameters = provider.respondTo(headers.get('location') ?? '', claims);
  const { status } = await client.get(`/sign-in/sso/callback?${parameters.toString()}`);
  if (status >= 400) throw new Error(`The sign-in by the provider returned ${status}.`);
}

/** Makes a task that waits for an approval. Returns its id. */
async function requestApproval({ api, ownerUserId }: TestOrganization): Promise<string> {
  const approval = { approverIds: [ownerUserId], allowSelfApproval: true };
  const field = { key: 'amount', label: 'Amount', type: 'NUMBER' } as const;
  const { templateId, fields } = await publishProcess(api, [
    { title: 'Order', approval, assigneeId: ownerUserId, fields: [field] },
  ]);
  const run = await launchRun(api, templateId);
  const { runTaskId } = run.byTitle('Order');
  const { id: executionEntryId } = await must(api.call('execution', 'open', { body: { runTaskId } }));
  const body = { executionEntryId, runTaskFieldId: fields['amount']?.id ?? '', value: 4_200 };
  await must(api.call('execution', 'submit', { body }));
  return runTaskId;
}

/** Has another member assign a task to the owner, who gets a mail. */
async function assignByColleague({ baseUrl }: Surroundings, org: TestOrganization, templateId: string): Promise<void> {
  const { session } = await addMember(baseUrl, await org.session(), { name: 'Mary Jackson', role: 'ADMIN' });
  const run = await launchRun(session, templateId, { title: 'Visit in Linz' });
  const params = { taskId: run.byTitle('Site visit').runTaskId };
  await must(session.call('runs.tasks', 'setAssignee', { params, body: { assigneeId: org.ownerUserId } }));
}

/** Launches a run with an `Idempotency-Key`. */
async function launchOnce(api: TestOrganization['api'], templateId: string) {
  const headers = { 'idempotency-key': randomUUID() };
  const { status, body } = await api.raw('POST', '/runs', { body: { templateId, title: 'Visit in Vienna' }, headers });
  if (status !== 201) throw new Error(`The launch returned ${status}.`);
  return getRun(api, (body as { id: string }).id);
}

/** Fills in the form of a task and completes it, with an idempotency key. */
async function fillIn(api: TestOrganization['api'], runTaskId: string, runTaskFieldId: string): Promise<void> {
  const { id: executionEntryId } = await must(api.call('execution', 'open', { body: { runTaskId } }));
  await must(api.call('execution', 'submit', { body: { executionEntryId, runTaskFieldId, value: 'No complaints' } }));
  await must(api.call('execution', 'complete', { body: { executionEntryId, idempotencyKey: randomUUID() } }));
}

/** Links two rows. */
async function relateRows({ api, ids }: World): Promise<void> {
  const body = { columnId: ids.column, fromRowId: ids.row, toRowId: ids.relatedRow };
  await must(api.call('dataSources.relations', 'link', { params: { id: ids.dataSource }, body }));
}

/** Publishes a template whose runs are active, and waits until they have its rules. */
async function publishTwice({ api, ids }: World): Promise<void> {
  const params = { id: ids.template };
  await must(api.call('templates', 'publish', { params }));
  const isSynchronized = async () =>
    (await must(api.call('templates', 'rulesSyncStatus', { params }))).status === 'COMPLETED';
  await until(isSynchronized, 'the rule sync');
}
