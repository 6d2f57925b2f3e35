import { setTimeout as pause } from 'node:timers/promises';
import { startReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import { verify } from '@runward/webhooks';
import test from 'ava';
import { createOutboundHttp } from '../../../src/adapters/outbound-http.ts';
import { queues, WebhookDelivery } from '../../../src/webhooks/entities/webhook-delivery.ts';
import { useOutbox } from '../../support/outbox.ts';
import { during } from '../../support/time.ts';

const outbox = useOutbox(test);

test.serial('a delivery reaches its receiver, which can verify it', async (t) => {
  await using receiver = await startReceiver(() => (response) => response.writeHead(200).end('fine'));
  const webhook = await outbox.webhook(receiver.url);
  const [id = ''] = await outbox.events(webhook, 1);

  await outbox.dispatcher().tick();

  const [request, ...more] = receiver.received;
  t.deepEqual(more, []);
  t.is(request?.method, 'POST');
  t.is(request?.headers['content-type'], 'application/json');
  const event = await verify(request?.body ?? '', request?.headers ?? {}, { secret: outbox.signingSecret });
  t.like(event, { event: 'run.started', deliveryId: id, orgId: outbox.organizationId });

  const delivery = await outbox.delivery(id);
  t.like(delivery, { status: 'SUCCEEDED', nextAttemptAt: null });
  const [attempt, ...others] = delivery.attempts;
  t.deepEqual(others, []);
  t.like(attempt, { statusCode: 200, error: null, responseBody: 'fine' });
  t.true(Number.isInteger(attempt?.durationMs));
  t.regex(attempt?.at ?? '', /^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/);
});

test.serial('a retry carries the same bytes under a fresh timestamp and signature', async (t) => {
  await using receiver = await startReceiver((count) => (count < 2 ? 500 : 204));
  const [id = ''] = await outbox.events(await outbox.webhook(receiver.url), 1);
  const dispatcher = outbox.dispatcher({ retrySchedule: [0, 1.3] });

  await dispatcher.tick();
  t.like(await outbox.delivery(id), { status: 'PENDING', attempts: [{ statusCode: 500 }] });
  await until(async () => {
    await dispatcher.tick();
    return receiver.received.length > 1;
  }, 'the retry');

  const [first, second] = receiver.received;
  t.is(first?.body, second?.body);
  t.is((JSON.parse(first?.body ?? '') as { deliveryId: string }).deliveryId, id);
  t.true(Number(second?.headers['x-flow-timestamp']) > Number(first?.headers['x-flow-timestamp']));
  t.not(second?.headers['x-flow-signature'], first?.headers['x-flow-signature']);
  await verify(second?.body ?? '', second?.headers ?? {}, { secret: outbox.signingSecret });
  // Delays vary by a fifth.
  t.true((second?.at ?? 0) - (first?.at ?? 0) >= 1_040);
  t.like(await outbox.delivery(id), { status: 'SUCCEEDED', attempts: [{ statusCode: 500 }, { statusCode: 204 }] });
});

test.serial('a delivery that fails at every attempt of the schedule becomes FAILED', async (t) => {
  await using receiver = await startReceiver(() => 503);
  const webhook = await outbox.webhook(receiver.url);
  const [id = ''] = await outbox.events(webhook, 1);
  const dispatcher = outbox.dispatcher({ retrySchedule: [0, 0.05, 0.05] });

  await until(async () => {
    await dispatcher.tick();
    return (await outbox.delivery(id)).status !== 'PENDING';
  }, 'the end of the schedule');
  await pause(100);
  await dispatcher.tick();

  t.like(await outbox.delivery(id), { status: 'FAILED', nextAttemptAt: null });
  t.is((await outbox.delivery(id)).attempts.length, 3);
  t.is(receiver.received.length, 3);
  t.like(await outbox.readWebhook(webhook), { enabled: true });
});

test.serial('the schedule and Retry-After decide when the next attempt is due', async (t) => {
  await using receiver = await startReceiver(
    () => (response) => response.writeHead(503, { 'retry-after': '450' }).end(),
  );
  const [id = ''] = await outbox.events(await outbox.webhook(receiver.url), 1);
  const { isDuring } = await during(() => outbox.dispatcher({ retrySchedule: [0, 300] }).tick());
  t.true(isDuring((await outbox.delivery(id)).nextAttemptAt, 450_000));
});

test.serial('the first delay of the schedule applies to the first attempt', async (t) => {
  await using receiver = await startReceiver();
  const [id = ''] = await outbox.events(await outbox.webhook(receiver.url), 1);
  const dispatcher = outbox.dispatcher({ retrySchedule: [60] });
  await dispatcher.tick();
  t.is(receiver.received.length, 0);
  const createdAt = new Date(Date.now() - 60_000);
  await outbox.database.em.fork().nativeUpdate(WebhookDelivery, { id }, { createdAt });
  await dispatcher.tick();
  t.is(receiver.received.length, 1);
  t.like(await outbox.delivery(id), { status: 'SUCCEEDED' });
});

test.serial(
  'a 410 disables the webhook immediately; pending deliveries are sent when it is enabled again',
  async (t) => {
    await using receiver = await startReceiver((count) => (count === 1 ? 410 : 200));
    const webhook = await outbox.webhook(receiver.url);
    const [gone = ''] = await outbox.events(webhook, 1);
    const dispatcher = outbox.dispatcher();
    const { isDuring } = await during(() => dispatcher.tick());

    t.like(await outbox.delivery(gone), { status: 'FAILED', attempts: [{ statusCode: 410 }] });
    const { enabled, disabledReason, disabledAt } = await outbox.readWebhook(webhook);
    t.false(enabled);
    t.regex(disabledReason ?? '', /410 Gone.*enable the webhook again/);
    t.true(isDuring(disabledAt));

    const [waiting = ''] = await outbox.events(webhook, 1);
    await dispatcher.tick();
    t.is(receiver.received.length, 1);
    t.like(await outbox.delivery(waiting), { status: 'PENDING', attempts: [] });

    await outbox.change(webhook, { enabled: true });
    await dispatcher.tick();
    t.like(await outbox.delivery(waiting), { status: 'SUCCEEDED' });
  },
);

for (const [status, outcome] of [
  [410, 'SUCCEEDED'],
  [500, 'FAILED'],
] as const) {
  test.serial(`a late ${status} of a URL that was corrected does not count against the new one`, async (t) => {
    const respond = Promise.withResolvers<void>();
    await using old = await startReceiver(
      () => (response) => void respond.promise.then(() => response.writeHead(status).end()),
    );
    await using receiver = await startReceiver();
    const webhook = await outbox.webhook(old.url);
    const [id = ''] = await outbox.events(webhook, 1);
    const dispatcher = outbox.dispatcher({ retrySchedule: [0] });
    const end = dispatcher.tick();
    await old.wait(1);
    await outbox.change(webhook, { url: receiver.url });
    respond.resolve();
    await end;
    await dispatcher.tick();

    t.like(await outbox.readWebhook(webhook), { enabled: true, failingSince: null, disabledReason: null });
    const { attempts, ...delivery } = await outbox.delivery(id);
    t.is(delivery.status, outcome);
    t.is(attempts[0]?.statusCode, status);
    t.is(receiver.received.length, outcome === 'SUCCEEDED' ? 1 : 0);
  });
}

test.serial('a webhook is disabled after five days of failures without a success', async (t) => {
  await using receiver = await startReceiver((_, { url }) => (url === '/fine' ? 200 : 500));
  const long = new Date(Date.now() - 6 * 86_400_000);
  const recent = new Date(Date.now() - 4 * 86_400_000);
  const failing = await outbox.webhook(receiver.url, { failingSince: long });
  const patient = await outbox.webhook(receiver.url, { failingSince: recent });
  const fresh = await outbox.webhook(receiver.url);
  const recovered = await outbox.webhook(new URL('/fine', receiver.url).href, { failingSince: long });
  for (const id of [failing, patient, fresh, recovered]) await outbox.events(id, 1);
  const { isDuring } = await during(() => outbox.dispatcher({ retrySchedule: [0, 60] }).tick());

  t.like(await outbox.readWebhook(failing), { enabled: false, failingSince: long });
  t.regex((await outbox.readWebhook(failing)).disabledReason ?? '', /five days.*enable the webhook again/);
  t.like(await outbox.readWebhook(patient), { enabled: true, failingSince: recent, disabledReason: null });
  const { enabled, failingSince } = await outbox.readWebhook(fresh);
  t.true(enabled && isDuring(failingSince));
  t.like(await outbox.readWebhook(recovered), { enabled: true, failingSince: null });
});

test.serial('deliveries of a disabled webhook wait, but its test deliveries are sent', async (t) => {
  await using receiver = await startReceiver();
  const webhook = await outbox.webhook(receiver.url, { enabled: false });
  const [waiting = ''] = await outbox.events(webhook, 1);
  const [tested = ''] = await outbox.events(webhook, 1, { queue: queues.test });
  await outbox.dispatcher().tick();

  t.like(await outbox.delivery(tested), { status: 'SUCCEEDED' });
  t.like(await outbox.delivery(waiting), { status: 'PENDING' });
  t.is(receiver.received.length, 1);
});

test.serial('the address is checked again at each attempt', async (t) => {
  await using receiver = await startReceiver();
  const [plain = ''] = await outbox.events(await outbox.webhook(receiver.url), 1);
  const [secure = ''] = await outbox.events(await outbox.webhook(receiver.url.replace('http:', 'https:')), 1);
  const outbound = createOutboundHttp({ allowLocal: false });
  await outbox.dispatcher({ outbound }).tick();

  t.regex((await outbox.delivery(plain)).attempts[0]?.error ?? '', /must be an https URL/);
  t.regex((await outbox.delivery(secure)).attempts[0]?.error ?? '', /must resolve to a public address/);
  t.is(receiver.received.length, 0);
});
