import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver, type TestReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import { verify } from '@runward/webhooks';
import test from 'ava';

const app = useSharedApp(test);

const secretOf = (api: Api, id: string) => must(api.call('webhooks', 'secret', { params: { id } }));
const change = (api: Api, id: string, body: object) => must(api.call('webhooks', 'update', { params: { id }, body }));
const rotate = (api: Api, id: string, overlapHours?: number) =>
  api.call('webhooks', 'rotateSecret', {
    params: { id },
    ...(overlapHours !== undefined && { body: { overlapHours } }),
  });

async function newWebhook(api: Api, url: string, settings: object = {}) {
  const body = { name: 'Hook', url, enabledEvents: ['run.started' as const], ...settings };
  return must(api.call('webhooks', 'create', { body }));
}

/** Which of the secrets the receiver of the latest delivery accepts. */
async function accepted({ received }: TestReceiver, ...secrets: readonly string[]): Promise<boolean[]> {
  const { body = '', headers = {} } = received.at(-1) ?? {};
  const accepts = (secret: string) =>
    verify(body, headers, { secret }).then(
      () => true,
      () => false,
    );
  return Promise.all(secrets.map(accepts));
}

test('a webhook with a secret of its own signs with it, and the others with that of the organization', async (t) => {
  await using own = await startReceiver();
  await using other = await startReceiver();
  const { api, signingSecret } = await newOrganization(app);
  const webhook = await newWebhook(api, own.url, { ownSecret: true });
  const plain = await newWebhook(api, other.url);
  t.deepEqual([webhook.ownSecret, plain.ownSecret], [true, false]);
  const { secret, ...previous } = await secretOf(api, webhook.id);
  t.deepEqual(previous, { previousSecret: null, previousExpiresAt: null });
  t.is(Buffer.from(secret, 'base64url').length, 32);

  const { templateId } = await publishProcess(api);
  await launchRun(api, templateId);
  await Promise.all([own.wait(1), other.wait(1)]);
  t.deepEqual(await accepted(own, secret, signingSecret), [true, false]);
  t.deepEqual(await accepted(other, secret, signingSecret), [false, true]);

  const again = async (id: string) => {
    const list = async () => (await must(api.call('webhooks', 'webhookDeliveries', { params: { id } }))).data;
    await until(async () => (await list()).every(({ status }) => status === 'SUCCEEDED'), 'the record');
    const [delivery] = await list();
    await must(api.call('webhooks', 'resend', { params: { id, deliveryId: delivery?.id ?? '' } }));
  };
  await again(webhook.id);
  await again(plain.id);
  await Promise.all([own.wait(2), other.wait(2)]);
  t.deepEqual(await accepted(own, secret, signingSecret), [true, false], 'resent');
  t.deepEqual(await accepted(other, secret, signingSecret), [false, true], 'resent');

  for (const { id } of [webhook, plain]) await must(api.call('webhooks', 'test', { params: { id } }));
  await Promise.all([own.wait(3), other.wait(3)]);
  t.deepEqual(await accepted(own, secret, signingSecret), [true, false], 'a test');
  t.deepEqual(await accepted(other, secret, signingSecret), [false, true], 'a test');
});

test('both secrets of a webhook sign while a rotation overlaps, and none of another rotation', async (t) => {
  await using receiver = await startReceiver();
  const { api, session, signingSecret } = await newOrganization(app);
  const { id } = await newWebhook(api, receiver.url, { ownSecret: true });
  const first = await secretOf(api, id);
  const second = await must(rotate(api, id));
  t.is(second.previousSecret, first.secret);
  t.true(Math.abs(Date.parse(second.previousExpiresAt ?? '') - Date.now() - 24 * 3_600_000) < 60_000);
  t.deepEqual(await secretOf(api, id), second);
  const owner = await session();
  const organization = await must(owner.call('organization', 'rotateSigningSecret'));

  const send = async () => {
    const count = receiver.received.length + 1;
    await must(api.call('webhooks', 'test', { params: { id } }));
    await receiver.wait(count);
  };
  await send();
  const all = [second.secret, first.secret, organization.secret, signingSecret];
  t.deepEqual(await accepted(receiver, ...all), [true, true, false, false]);

  const refused = await rotate(api, id, 1);
  t.is(refused.status, 400);
  t.regex(JSON.stringify(refused.body), /previous secret is valid until .*overlapHours 0/);
  t.false(JSON.stringify(refused.body).includes(second.secret));

  const third = await must(rotate(api, id, 0));
  t.deepEqual([third.previousSecret, third.previousExpiresAt], [null, null]);
  await send();
  t.deepEqual(await accepted(receiver, third.secret, ...all), [true, false, false, false, false]);

  await must(rotate(api, id, 1));
  await app.provision.query('update webhooks set previous_signing_secret_expires_at = now() where id = $1', [id]);
  await send();
  t.deepEqual(await accepted(receiver, third.secret), [false], 'after the overlap');
});

test('a webhook can get a secret of its own and lose it again, and each time gets another one', async (t) => {
  await using receiver = await startReceiver();
  const { api, signingSecret } = await newOrganization(app);
  const { id } = await newWebhook(api, receiver.url);
  const send = async () => {
    const count = receiver.received.length + 1;
    await must(api.call('webhooks', 'test', { params: { id } }));
    await receiver.wait(count);
  };
  for (const response of [await api.call('webhooks', 'secret', { params: { id } }), await rotate(api, id)]) {
    t.is(response.status, 400);
    t.regex(JSON.stringify(response.body), /set ownSecret to true first/);
  }
  t.true((await change(api, id, { ownSecret: true })).ownSecret);
  const { secret } = await secretOf(api, id);
  await change(api, id, { name: 'Renamed' });
  await change(api, id, { ownSecret: true });
  t.is((await secretOf(api, id)).secret, secret, 'nothing has changed');
  await send();
  t.deepEqual(await accepted(receiver, secret, signingSecret), [true, false]);

  await must(rotate(api, id));
  t.false((await change(api, id, { ownSecret: false })).ownSecret);
  await send();
  t.deepEqual(await accepted(receiver, secret, signingSecret), [false, true]);
  await change(api, id, { ownSecret: true });
  const other = await secretOf(api, id);
  t.not(other.secret, secret);
  t.is(other.previousSecret, null);
});

test('only the two endpoints of the secret return it', async (t) => {
  await using receiver = await startReceiver();
  const { api, session } = await newOrganization(app);
  const created = await newWebhook(api, receiver.url, { ownSecret: true });
  const { id } = created;
  const first = await secretOf(api, id);
  const second = await must(rotate(api, id));
  const test = await must(api.call('webhooks', 'test', { params: { id } }));
  await receiver.wait(1);
  const responses = [
    created,
    test,
    await change(api, id, { name: 'Renamed' }),
    await must(api.call('webhooks', 'list')),
    await must(api.call('webhooks', 'get', { params: { id } })),
    await must(api.call('webhooks', 'deliveries')),
    await must(api.call('events', 'list')),
    await must((await session()).call('organization', 'signingSecret')),
    receiver.received,
  ];
  for (const secret of [first.secret, second.secret]) t.false(JSON.stringify(responses).includes(secret));
});

test('a restricted key reads and rotates the secret of a webhook only inside its reach', async (t) => {
  const { api, key } = await newOrganization(app);
  const inside = await publishProcess(api);
  const outside = await publishProcess(api);
  const of = (templateId: string) => {
    const templates = { templateMode: 'SELECTED_TEMPLATES', templateIds: [templateId] };
    return newWebhook(api, 'http://127.0.0.1:1/hook', { ...templates, ownSecret: true });
  };
  const [near, far] = [await of(inside.templateId), await of(outside.templateId)];
  const restricted = await key({
    scopes: ['webhooks:manage'],
    resourceMode: 'SELECTED_TEMPLATES',
    scopedTemplateIds: [inside.templateId],
  });
  t.is((await rotate(restricted, near.id)).status, 200);
  t.is((await restricted.call('webhooks', 'secret', { params: { id: far.id } })).status, 403);
  t.is((await rotate(restricted, far.id)).status, 403);
  t.is((await secretOf(api, far.id)).previousSecret, null);

  const { api: stranger } = await newOrganization(app);
  t.is((await stranger.call('webhooks', 'secret', { params: { id: near.id } })).status, 404);
  t.is((await rotate(stranger, near.id)).status, 404);
});
