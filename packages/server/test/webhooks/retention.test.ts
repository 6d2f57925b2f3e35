import test from 'ava';
import { firstIdOf } from '../../src/ids.ts';
import { Event } from '../../src/webhooks/entities/event.ts';
import { WebhookDelivery } from '../../src/webhooks/entities/webhook-delivery.ts';
import { Webhook } from '../../src/webhooks/entities/webhook.ts';
import { purgeDeliveries } from '../../src/webhooks/queries/purge-deliveries.ts';
import { purgeEvents } from '../../src/webhooks/queries/purge-events.ts';
import { useOutbox } from '../support/outbox.ts';

const outbox = useOutbox(test);

const days = (count: number) => new Date(Date.now() - count * 86_400_000);

test.serial('deliveries and events are kept for 30 days, whatever their status', async (t) => {
  const webhook = await outbox.webhook('http://127.0.0.1:1/', { enabled: false });
  const em = () => outbox.database.em.fork();
  const [pending = '', failed = '', recent = '', fresh = ''] = await outbox.events(webhook, 4);
  const age = async (id: string, count: number, settings: Partial<WebhookDelivery> = {}) => {
    const older = firstIdOf(days(count));
    await em().nativeUpdate(Event, { id }, { id: older });
    await em().nativeUpdate(WebhookDelivery, { id }, { id: older, recordId: older, ...settings });
    return older;
  };
  await age(pending, 31.1);
  await age(failed, 32, { status: 'FAILED' });
  const kept = [await age(recent, 30.9, { status: 'SUCCEEDED' }), fresh];

  await purgeEvents(outbox.database, new AbortController().signal);
  const left = await em().find(Event, {}, { orderBy: { id: 'asc' } });
  t.deepEqual(
    [left, await outbox.deliveries()].map((rows) => rows.map(({ id }) => id)),
    [kept, kept],
  );
});

test.serial('purging deletes more rows than one statement can, and a signal stops it between statements', async (t) => {
  const webhook = await outbox.webhook('http://127.0.0.1:1/');
  await outbox.database.em.fork().execute(
    `with made as (
       insert into events (id, organization_id, event, body, created_at)
       select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ?, 'run.started', '{}', now()
       from generate_series(1, 6000) n returning id, organization_id, created_at
     )
     insert into webhook_deliveries (webhook_id, id, record_id, organization_id, event, status, created_at)
     select ?, id, id, organization_id, 'run.started', 'SUCCEEDED', created_at from made`,
    [outbox.organizationId, webhook],
  );
  const count = async () =>
    [await outbox.deliveries(), await outbox.database.em.fork().find(Event, {})].map((r) => r.length);
  const before = await count();
  await purgeEvents(outbox.database, AbortSignal.abort());
  t.deepEqual(await count(), before);
  await purgeEvents(outbox.database, new AbortController().signal);
  t.deepEqual(
    await count(),
    before.map((rows) => rows - 6_000),
  );
});

test.serial('a job deletes the deliveries of deleted webhooks, and no others', async (t) => {
  const [kept, deleted, empty] = [
    await outbox.webhook('http://127.0.0.1:1/', { enabled: false }),
    await outbox.webhook('http://127.0.0.1:1/', { enabled: false }),
    await outbox.webhook('http://127.0.0.1:1/', { enabled: false }),
  ];
  await outbox.events(kept, 3);
  await outbox.events(deleted, 5);
  const em = () => outbox.database.em.fork();
  await em().nativeDelete(Webhook, { id: { $in: [deleted, empty] } });
  const countOf = async (id: string) => (await outbox.deliveries()).filter(({ webhookId }) => webhookId === id).length;

  await purgeDeliveries(em(), AbortSignal.abort(), 2);
  t.is(await countOf(deleted), 5);
  await purgeDeliveries(em(), new AbortController().signal, 2);
  t.is(await countOf(deleted), 0);
  t.is(await countOf(kept), 3);
});
