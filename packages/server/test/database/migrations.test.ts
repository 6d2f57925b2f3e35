import test from 'ava';
import { Client } from 'pg';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { Event } from '../../src/webhooks/entities/event.ts';
import { lanes, WebhookDelivery } from '../../src/webhooks/entities/webhook-delivery.ts';
import { createDatabase } from '@runward/testing/database';

const id = (n: number) => `01900000-0000-7000-8000-00000000000${n}`;

test('deliveries from before events stood on their own keep their ids, attempts and place in line', async (t) => {
  const { url, drop } = await createDatabase({ empty: true });
  t.teardown(drop);
  await migrate(url, '0003-sessions');
  const client = new Client({ connectionString: url });
  await client.connect();
  const at = '2026-03-02T10:00:00.000Z';
  const body = (n: number, event: string, data: object) =>
    JSON.stringify({
      event,
      deliveryId: id(n),
      timestamp: at,
      orgId: id(0),
      data: { runId: id(1), templateId: id(2), ...data },
    });
  const attempt = JSON.stringify([{ at, statusCode: 500, durationMs: 1, error: null, responseBody: '' }]);
  await client.query(`
    insert into organizations values ('${id(0)}', 'Old', 'FREE', 'UTC', 'secret', now());
    insert into users values ('${id(1)}', '${id(0)}', 'a@example.com', 'A', 'OWNER', 'ACTIVE', '', now());
    insert into templates (id, organization_id, name, draft, has_unpublished_changes, created_at, updated_at)
      values ('${id(2)}', '${id(0)}', 'T', '{}', false, now(), now());
    insert into template_versions values ('${id(3)}', '${id(0)}', '${id(2)}', 1, null, '{}', '${id(1)}', now());
    insert into runs (id, organization_id, public_id, title, status, template_id, template_version_id, owner_user_id,
        scheduled_date_local, variables, created_at, last_activity_at, activity_count)
      values ('${id(1)}', '${id(0)}', 'RUN-1', 'R', 'RUNNING', '${id(2)}', '${id(3)}', '${id(1)}', now(), '{}', now(), now(), 3);
    insert into activity (run_id, sequence, id, type, at, actor_type, data) values
      ('${id(1)}', 1, '${id(4)}', 'run.started', '${at}', 'SYSTEM', '{}'),
      ('${id(1)}', 2, '${id(5)}', 'task.completed', '${at}', 'SYSTEM', '{"runTaskId": "${id(7)}"}'),
      ('${id(1)}', 3, '${id(6)}', 'task.completed', '${at}', 'SYSTEM', '{"runTaskId": "${id(8)}"}');
    insert into webhooks (id, organization_id, name, url, enabled_events, enabled, template_mode, template_ids, created_at, updated_at)
      values ('${id(9)}', '${id(0)}', 'W', 'https://example.com', '{}', true, 'ALL_FLOWS', '{}', now(), now());`);
  const insert = (n: number, event: string, data: object, attempts: string, isTest = false) =>
    client.query(
      `insert into webhook_deliveries (id, organization_id, webhook_id, event, status, body, is_test, attempts, created_at)
       values ($1, $2, $3, $4, 'PENDING', $5, $6, $7, now())`,
      [id(n), id(0), id(9), event, body(n, event, data), isTest, attempts],
    );
  await insert(1, 'run.started', {}, '[]');
  await insert(2, 'task.completed', { runTaskId: id(8), taskId: id(2) }, attempt);
  await insert(3, 'run.started', { runId: id(9), test: true }, '[]', true);
  await client.end();

  await migrate(url);
  const database = await openDatabase(url);
  t.teardown(() => database.close());
  const em = database.em.fork();
  const deliveries = await em.find(WebhookDelivery, {}, { orderBy: { id: 'asc' } });
  t.deepEqual(
    deliveries.map(({ id: each, lane, tries, attempts }) => [each, lane, tries, attempts.length]),
    [
      [id(1), lanes.fresh, 0, 0],
      [id(2), lanes.backlog, 1, 1],
      [id(3), lanes.test, 0, 0],
    ],
  );
  const events = await em.find(Event, {}, { orderBy: { id: 'asc' } });
  t.deepEqual(
    events.map(({ id: each, sequence, isTest }) => [each, sequence, isTest]),
    [
      [id(1), 1, false],
      [id(2), 3, false],
      [id(3), 1, true],
    ],
  );
  for (const { body: text, ...event } of events) {
    t.like(JSON.parse(text), { deliveryId: event.id, event: event.event, data: { sequence: event.sequence } });
  }
});
