import { setTimeout as pause } from 'node:timers/promises';
import { startReceiver, type Reply } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import test from 'ava';
import { openDatabase } from '../../../src/database/database.ts';
import { inTransaction } from '../../../src/database/transaction.ts';
import { Event } from '../../../src/webhooks/entities/event.ts';
import { queues, WebhookDelivery } from '../../../src/webhooks/entities/webhook-delivery.ts';
import { placeEvents } from '../../../src/webhooks/queries/place-events.ts';
import { useOutbox } from '../../support/outbox.ts';

const outbox = useOutbox(test);
const place = () => inTransaction(outbox.database, (em) => placeEvents(em, outbox.organizationId));

/** These events in the order of the feed. */
async function inFeedOrder(ids: readonly string[]): Promise<string[]> {
  const events = await outbox.database.em
    .fork()
    .find(Event, { id: { $in: [...ids] } }, { orderBy: { position: 'asc' } });
  return events.map(({ id }) => id);
}

/** A receiver that needs some milliseconds, and that knows how many requests were in progress at most. */
async function startSlowReceiver(statusOf: (id: string, times: number) => number) {
  const seen = { ids: [] as string[], inProgress: 0, most: 0 };
  const reply: Reply =
    (_, { headers }) =>
    (response) => {
      const id = String(headers['webhook-id']);
      seen.ids.push(id);
      seen.most = Math.max(seen.most, (seen.inProgress += 1));
      const times = seen.ids.filter((each) => each === id).length;
      setTimeout(() => {
        seen.inProgress -= 1;
        response.writeHead(statusOf(id, times)).end();
      }, 10);
    };
  return Object.assign(await startReceiver(reply), { seen });
}

/** The ids without those that repeat the one before. */
const withoutRetries = (ids: readonly string[]) => ids.filter((id, index) => id !== ids[index - 1]);

const areOver = async () => (await outbox.deliveries()).every(({ status }) => status !== 'PENDING');

test.serial(
  'two workers send an ordered webhook one delivery at a time in the order of the feed, also if some fail',
  async (t) => {
    await using receiver = await startSlowReceiver((id, times) => (times === 1 && /[0-7]$/.test(id) ? 500 : 200));
    const webhook = await outbox.webhook(receiver.url, { ordered: true });
    const workers = [outbox.dispatcher({ retrySchedule: [0, 0.05] }), outbox.dispatcher({ retrySchedule: [0, 0.05] })];
    const ids: string[] = [];
    for (let commit = 0; commit < 15; commit += 1) {
      ids.push(...(await outbox.events(webhook, 2)));
      for (const worker of workers) worker.notify();
    }
    await until(async () => {
      await Promise.all(workers.map((worker) => worker.tick()));
      return areOver();
    }, 'all');

    t.true((await outbox.deliveries()).every(({ status }) => status === 'SUCCEEDED'));
    t.deepEqual(withoutRetries(receiver.seen.ids), await inFeedOrder(ids));
    t.true(receiver.seen.ids.length > 30);
    t.is(receiver.seen.most, 1);
  },
);

test.serial('a delivery that is given up lets the next one go', async (t) => {
  let first = '';
  await using receiver = await startSlowReceiver((id) => (id === first ? 500 : 200));
  const webhook = await outbox.webhook(receiver.url, { ordered: true });
  const ids = await outbox.events(webhook, 3);
  await place();
  const [blocked = '', second = '', third = ''] = await inFeedOrder(ids);
  first = blocked;
  const dispatcher = outbox.dispatcher({ retrySchedule: [0, 0.1, 0.1] });
  await until(async () => {
    await dispatcher.tick();
    return areOver();
  }, 'the end');

  t.deepEqual(receiver.seen.ids, [first, first, first, second, third]);
  t.like(await outbox.delivery(first), { status: 'FAILED' });
  t.like(await outbox.delivery(third), { status: 'SUCCEEDED' });
});

test.serial(
  'while a delivery waits for its retry, only tests and other webhooks are sent, and nobody leases the webhook',
  async (t) => {
    await using receiver = await startReceiver((count) => (count === 1 ? 500 : 200));
    await using other = await startReceiver();
    const webhook = await outbox.webhook(receiver.url, { ordered: true });
    const ids = await outbox.events(webhook, 5);
    const dispatcher = outbox.dispatcher({ retrySchedule: [0, 300] });
    await dispatcher.tick();
    t.is(receiver.received.length, 1);
    const { leaseToken } = await outbox.readWebhook(webhook);

    ids.push(...(await outbox.events(webhook, 5)));
    await outbox.events(await outbox.webhook(other.url), 20);
    await dispatcher.tick();
    t.is(receiver.received.length, 1);
    t.is(other.received.length, 20);
    t.is((await outbox.readWebhook(webhook)).leaseToken, leaseToken);

    const [tested = ''] = await outbox.events(webhook, 1, { queue: queues.test });
    await dispatcher.tick();
    t.like(await outbox.delivery(tested), { status: 'SUCCEEDED' });
    t.is(receiver.received.length, 2);

    const [first = ''] = await inFeedOrder(ids);
    await outbox.database.em.fork().nativeUpdate(WebhookDelivery, { id: first }, { nextAttemptAt: new Date() });
    await dispatcher.tick();
    const sent = receiver.received.map(({ headers }) => String(headers['webhook-id']));
    t.deepEqual(sent.slice(2), await inFeedOrder(ids));
  },
);

test.serial('an event that is committed after later ones were placed goes after them', async (t) => {
  await using receiver = await startReceiver();
  const webhook = await outbox.webhook(receiver.url, { ordered: true });
  const placed = await outbox.events(webhook, 3);
  await place();
  const late = await outbox.events(webhook, 3);
  const earlier = new Date(Date.now() - 60_000);
  const em = outbox.database.em.fork();
  await em.nativeUpdate(Event, { id: { $in: late } }, { createdAt: earlier });
  await em.nativeUpdate(WebhookDelivery, { id: { $in: late } }, { createdAt: earlier, nextAttemptAt: earlier });
  await outbox.dispatcher().tick();
  const sent = receiver.received.map(({ headers }) => String(headers['webhook-id']));
  t.deepEqual(sent, [...(await inFeedOrder(placed)), ...(await inFeedOrder(late))]);
});

test.serial('the first delay of the schedule applies to the deliveries of an ordered webhook', async (t) => {
  await using receiver = await startReceiver();
  const ids = await outbox.events(await outbox.webhook(receiver.url, { ordered: true }), 2);
  const dispatcher = outbox.dispatcher({ retrySchedule: [60] });
  await place();
  await dispatcher.tick();
  t.is(receiver.received.length, 0);
  const createdAt = new Date(Date.now() - 60_000);
  await outbox.database.em.fork().nativeUpdate(WebhookDelivery, { id: { $in: ids } }, { createdAt });
  await dispatcher.tick();
  t.deepEqual(
    receiver.received.map(({ headers }) => headers['webhook-id']),
    await inFeedOrder(ids),
  );
});

test.serial('a worker that crashes repeats one delivery, and the order goes on', async (t) => {
  let hangs = true;
  const arrived: string[] = [];
  await using receiver = await startReceiver((count, { headers }) => (response) => {
    arrived.push(String(headers['webhook-id']));
    if (count === 3 && hangs) return;
    response.writeHead(200).end();
  });
  const ids = await outbox.events(await outbox.webhook(receiver.url, { ordered: true }), 6);
  const own = await openDatabase(outbox.databaseUrl, { poolSize: 1 });
  outbox.dispatcher({ database: own, leaseSeconds: 0.5 }).notify();
  await receiver.wait(3);
  // Without its database, the worker can neither extend its lease nor record anything.
  await own.close();
  hangs = false;
  const rescuer = outbox.dispatcher();
  await until(async () => {
    await rescuer.tick();
    return areOver();
  }, 'the rescue');
  const order = await inFeedOrder(ids);
  t.deepEqual(arrived, order.toSpliced(3, 0, order[2] ?? ''));
});

test.serial('a webhook that becomes ordered or unordered while it is sent loses nothing', async (t) => {
  await using receiver = await startSlowReceiver(() => 200);
  const webhook = await outbox.webhook(receiver.url, { ordered: true });
  const dispatcher = outbox.dispatcher();
  const ids = await outbox.events(webhook, 300);
  dispatcher.notify();
  await receiver.wait(5);
  await outbox.change(webhook, { ordered: false });
  await receiver.wait(50);
  await until(() => receiver.seen.most > 1, 'several at a time');
  await outbox.change(webhook, { ordered: true });
  // What was read before is sent for a second, and until the next read has ended.
  await pause(1_500);
  await until(() => receiver.seen.inProgress <= 1, 'the end of all requests but one');
  receiver.seen.most = receiver.seen.inProgress;
  const before = receiver.seen.ids.length;
  await dispatcher.tick();
  const after = receiver.seen.ids.slice(before);
  t.deepEqual(after, await inFeedOrder(after));
  t.true(after.length > 0, 'some were left');
  t.true(receiver.seen.most <= 1);
  t.deepEqual(receiver.seen.ids.toSorted(), ids.toSorted());
});
