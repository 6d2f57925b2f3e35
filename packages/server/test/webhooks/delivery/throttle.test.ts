import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Organization } from '../../../src/organization/entities/organization.ts';
import { newSigningSecret } from '../../../src/organization/signing-secret.ts';
import { queues } from '../../../src/webhooks/entities/webhook-delivery.ts';
import { useOutbox } from '../../support/outbox.ts';

const outbox = useOutbox(test);

test.serial('after an outage a backlog is sent at 20 requests per second at most, across all workers', async (t) => {
  await using receiver = await startReceiver();
  const webhook = await outbox.webhook(receiver.url);
  await outbox.events(webhook, 40, { queue: queues.backlog, tries: 1 });

  const workers = [outbox.dispatcher(), outbox.dispatcher()];
  const start = Date.now();
  await Promise.all(workers.map((worker) => worker.tick()));
  const times = (await receiver.wait(40)).map(({ at }) => at - start);
  t.is(times.length, 40);
  // A slow machine delays requests, but none may be ahead of its turn.
  const early = times.filter((ms, turn) => ms < turn * 50);
  t.deepEqual(early, [], times.join(', '));
});

test.serial('new events do not wait behind a backlog, nor does another webhook', async (t) => {
  await using receiver = await startReceiver();
  await using other = await startReceiver();
  const webhook = await outbox.webhook(receiver.url);
  const old = new Set(await outbox.events(webhook, 40, { queue: queues.backlog, tries: 1 }));
  const dispatcher = outbox.dispatcher();
  dispatcher.notify();
  await receiver.wait(5);
  const fresh = await outbox.events(webhook, 20);
  await outbox.events(await outbox.webhook(other.url), 20);
  await dispatcher.tick();

  const order = receiver.received.map(({ headers }) => String(headers['webhook-id']));
  t.is(order.length, 60);
  const last = Math.max(...fresh.map((id) => order.indexOf(id)));
  const before = order.slice(0, last).filter((id) => old.has(id)).length;
  t.true(before < old.size, `${before} of the backlog went ahead`);
  t.is(other.received.length, 20);
});

test.serial('new events leave the reserved attempts to the backlog', async (t) => {
  await using receiver = await startReceiver(() => (response) => setTimeout(() => response.end(), 30));
  const webhook = await outbox.webhook(receiver.url);
  await outbox.events(webhook, 300);
  const old = await outbox.events(webhook, 10, { queue: queues.backlog, tries: 1 });
  await outbox.dispatcher().tick();
  const order = receiver.received.map(({ headers }) => String(headers['webhook-id']));
  t.is(order.length, 310);
  t.true(Math.max(...old.map((id) => order.indexOf(id))) < 200);
});

test.serial('the standardwebhooks package verifies our deliveries, with both secrets during a rotation', async (t) => {
  await using receiver = await startReceiver();
  const webhook = await outbox.webhook(receiver.url);
  const next = newSigningSecret();
  const organization = { id: outbox.organizationId };
  await outbox.events(webhook, 1);
  await outbox.dispatcher().tick();
  await outbox.database.em.fork().nativeUpdate(Organization, organization, {
    signingSecret: next,
    previousSigningSecret: outbox.signingSecret,
    previousSigningSecretExpiresAt: new Date(Date.now() + 60_000),
  });
  await outbox.events(webhook, 1);
  await outbox.dispatcher().tick();

  const verifies = (secret: string, index: number) => {
    const { body = '', headers } = receiver.received[index] ?? {};
    const whsec = `whsec_${Buffer.from(secret).toString('base64')}`;
    const verify = (verifier: StandardWebhook) => verifier.verify(body, headers as Record<string, string>);
    t.deepEqual(verify(new StandardWebhook(whsec)), verify(new StandardWebhook(secret, { format: 'raw' })));
    t.like(verify(new StandardWebhook(whsec)), { deliveryId: headers?.['webhook-id'] });
  };
  verifies(outbox.signingSecret, 0);
  verifies(outbox.signingSecret, 1);
  verifies(next, 1);
  t.throws(() => verifies(next, 0));
  t.throws(() => verifies(newSigningSecret(), 1));
});
