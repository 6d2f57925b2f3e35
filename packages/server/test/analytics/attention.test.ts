import { randomUUID } from 'node:crypto';
import { signIn } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { addDeliveries, failRulesSync, infect, newWebhook } from '../support/attention.ts';
import { openForm } from '../support/files.ts';

const app = useSharedApp(test);

const none = { count: 0, newest: [] };
const nothing = { failedRulesSyncs: none, failedDeliveries: none, infectedFiles: none };

test('a rule sync that failed needs attention until no run of it is active with earlier rules', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const read = async () => (await must(owner.call('attention', 'get'))).failedRulesSyncs;
  t.deepEqual(await must(owner.call('attention', 'get')), nothing);
  const { templateId } = await publishProcess(org.api, [{ title: 'First' }], { name: 'Onboarding' });
  const [one, two] = [await launchRun(org.api, templateId), await launchRun(org.api, templateId)];
  await failRulesSync(app, org, templateId);
  t.like(await read(), {
    count: 1,
    newest: [{ templateId, templateName: 'Onboarding', runId: one.id, message: 'It broke; migrate the run.' }],
  });
  await must(org.api.call('runs', 'migrateToLatest', { params: { id: one.id } }));
  t.like(await read(), { count: 1, newest: [{ runId: two.id }] });
  await must(org.api.call('runs', 'cancel', { params: { id: two.id } }));
  t.deepEqual(await read(), none);
});

test('failed deliveries of the last days are counted and the newest listed, without tests and older ones', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const id = await newWebhook(org, 'CRM');
  await addDeliveries(app, org, id, { days: 8 });
  await addDeliveries(app, org, id, { queue: 2 });
  await addDeliveries(app, org, id, { status: 'SUCCEEDED' });
  t.deepEqual((await must(owner.call('attention', 'get'))).failedDeliveries, none);
  await addDeliveries(app, org, id, { count: 1_100 });
  const { count, newest } = (await must(owner.call('attention', 'get'))).failedDeliveries;
  t.is(count, 1_000);
  t.is(newest.length, 10);
  t.like(newest[0], { webhookId: id, webhookName: 'CRM', event: 'run.started' });
  t.deepEqual(
    newest,
    newest.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
  );
  t.true(Date.parse(newest[0]?.createdAt ?? '') > Date.now() - 86_400_000 - 60_000);
});

test('an infected file needs attention until it is deleted, and only in its own organization', async (t) => {
  const form = await openForm(app);
  const owner = await form.org.session();
  const file = await must(form.upload('papers', 'harmless', 'invoice.pdf'));
  await infect(app, file.id);
  t.like((await must(owner.call('attention', 'get'))).infectedFiles, {
    count: 1,
    newest: [{ id: file.id, fileName: 'invoice.pdf', signature: 'Eicar', runId: form.runId }],
  });
  const other = await (await newOrganization(app)).session();
  t.deepEqual(await must(other.call('attention', 'get')), nothing);
  await must(form.api.call('files', 'delete', { params: { id: file.id } }));
  t.deepEqual(await must(owner.call('attention', 'get')), nothing);
});

test('members and API keys are rejected', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const body = { email: `${randomUUID()}@example.com`, name: 'Grace', password: randomUUID() };
  await must(owner.call('users', 'create', { body }));
  const member = await signIn(app.baseUrl, body.email, body.password);
  t.is((await member.call('attention', 'get')).status, 403);
  t.is((await org.api.call('attention', 'get')).status, 401);
});
