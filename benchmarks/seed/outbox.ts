import { newId } from '@runward/server/internal/ids';
import { newBody } from '@runward/server/internal/webhooks/events-of';
import type { Client } from 'pg';
import type { Seed } from './seed.ts';

const event = 'task.completed';

/** Registers disabled webhooks for events, each with its own path. Returns their ids and URLs. */
export async function addWebhooks(
  client: Client,
  { organizationId }: Pick<Seed, 'organizationId'>,
  { count, url, events }: { count: number; url: string; events: readonly string[] },
): Promise<{ ids: string[]; urls: string[] }> {
  const ids = Array.from({ length: count }, () => newId());
  const urls = ids.map((_, index) => `${url}/${index + 1}`);
  await client.query(
    `insert into webhooks (id, organization_id, name, url, enabled_events, enabled, template_mode, template_ids, created_at, updated_at)
     select id, $1, 'Benchmark', url, $4, false, 'ALL_FLOWS', '{}', now(), now() from unnest($2::uuid[], $3::text[]) new (id, url)`,
    [organizationId, ids, urls, events],
  );
  return { ids, urls };
}

/** Enables or disables webhooks. A disabled webhook holds its deliveries back. */
export async function enable(client: Client, webhookIds: readonly string[], enabled: boolean): Promise<void> {
  await client.query('update webhooks set enabled = $2 where id = any ($1)', [webhookIds, enabled]);
}

/** Adds events to the outbox, for each webhook in turn, like a command that completes a task. Returns their bodies. */
export async function queueEvents(
  client: Client,
  { organizationId, templateId, document, runIds }: Seed,
  webhookIds: readonly string[],
  count: number,
): Promise<string[]> {
  const runId = runIds[0] ?? '';
  const data = { runId, templateId, runTaskId: newId(), taskId: document.tasks[0]?.id ?? '', sequence: 7 };
  const timestamp = new Date().toISOString();
  const made = Array.from({ length: count }, () => newBody({ event, timestamp, orgId: organizationId, data }));
  await client.query(
    `with new as (
       select id, body, $6::uuid[] as webhooks, n from unnest($4::uuid[], $5::text[]) with ordinality new (id, body, n)
     ), event as (
       insert into events (id, organization_id, run_id, template_id, sequence, event, body, created_at)
       select id, $1, $2, $3, ${data.sequence}, '${event}', body, now() from new
     )
     insert into webhook_deliveries (webhook_id, id, record_id, organization_id, event, status, next_attempt_at, created_at)
     select webhooks[1 + (n - 1) % cardinality(webhooks)], id, id, $1, '${event}', 'PENDING', now(), now() from new`,
    [organizationId, runId, templateId, made.map(({ id }) => id), made.map(({ body }) => body), webhookIds],
  );
  return made.map(({ body }) => body);
}
