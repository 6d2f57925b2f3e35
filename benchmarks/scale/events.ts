import { openDatabase } from '@runward/server/internal/database/database';
import { purgeEvents } from '@runward/server/internal/webhooks/queries/purge-events';
import type { Client } from 'pg';
import { percentile } from '../measured.ts';
import { addWebhooks } from '../outbox.ts';
import type { KnownIds } from './one-organization.ts';
import { line, timed, type Log, type Request } from './timed.ts';

/** Beyond the retention of 31 days. */
const expiredDays = 40;
const stepSize = 250_000;
const event = 'task.completed';

/** Adds events of yesterday to the feed of the organization. */
export async function addEvents(client: Client, ids: KnownIds, count: number): Promise<void> {
  for (let from = 0; from < count; from += stepSize) {
    await insertEvents(client, ids, { count: Math.min(stepSize, count - from), daysAgo: 1, position: from });
  }
  await client.query(
    `insert into event_feeds select $1, $2::bigint on conflict (organization_id) do update set position = event_feeds.position + $2::bigint`,
    [ids.organizationId, count],
  );
}

/** Fills a database with expired events and deliveries, and purges them while a request is sent again and again. */
export async function measureRetention(bench: {
  readonly client: Client;
  readonly databaseUrl: string;
  readonly ids: KnownIds;
  readonly deliveries: number;
  readonly request: Request;
  readonly log: Log;
}): Promise<void> {
  const { client, databaseUrl, ids, deliveries, request, log } = bench;
  const webhook = { count: 1, url: 'https://127.0.0.1/hook', events: [event] };
  const [webhookId = ''] = (await addWebhooks(client, ids, webhook)).ids;
  for (let from = 0; from < deliveries; from += stepSize) {
    const count = Math.min(stepSize, deliveries - from);
    await insertEvents(client, ids, { count, daysAgo: expiredDays, position: null, webhookId });
  }
  await client.query('vacuum (analyze) events, webhook_deliveries');

  const database = await openDatabase(databaseUrl);
  const purged = new AbortController();
  const times: number[] = [];
  const reading = (async () => {
    for (let index = 0; !purged.signal.aborted; index += 1) times.push((await timed(() => request(index))).ms);
  })();
  const { ms } = await timed(() => purgeEvents(database, new AbortController().signal));
  purged.abort();
  await reading;
  await database.close();
  const { rows } = await client.query<{ left: number }>(
    'select count(*)::int as left from webhook_deliveries where webhook_id = $1',
    [webhookId],
  );
  if (rows[0]?.left !== 0) throw new Error(`${rows[0]?.left} expired deliveries were not deleted.`);
  const rate = ((2 * deliveries) / ms).toFixed(0);
  log(line(`retention of ${deliveries} deliveries`, `${(ms / 1_000).toFixed(1)} s, ${rate} rows per ms`));
  log(line('GET /runs/:id meanwhile', `p95 ${percentile(times, 0.95).toFixed(1)} ms`));
}

async function insertEvents(
  client: Client,
  { organizationId, templateId, runIds }: KnownIds,
  events: {
    readonly count: number;
    readonly daysAgo: number;
    readonly position: number | null;
    readonly webhookId?: string;
  },
): Promise<void> {
  const { count, daysAgo, position, webhookId = null } = events;
  await client.query(
    `with event as (
       insert into events (organization_id, id, run_id, template_id, sequence, event, body, position, created_at)
       select $1, uuidv7(make_interval(days => 0 - $4::int)), $2, $3, 7, '${event}',
         json_build_object('event', '${event}', 'timestamp', now(), 'orgId', $1::uuid, 'data', json_build_object('runId', $2::uuid, 'templateId', $3::uuid,
           'runTaskId', uuidv7(), 'taskId', uuidv7(), 'sequence', 7)),
         $5::bigint + n, now() - make_interval(days => $4)
       from generate_series(1, $6::int) n
       returning id
     )
     insert into webhook_deliveries (organization_id, webhook_id, id, record_id, event, status, attempts, tries, created_at)
     select $1, $7, id, id, '${event}', 'SUCCEEDED', '[{"statusCode": 204}]', 1, now() - make_interval(days => $4)
     from event where $7::uuid is not null`,
    [organizationId, runIds[0], templateId, daysAgo, position, count, webhookId],
  );
}
