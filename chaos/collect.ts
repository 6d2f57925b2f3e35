import { Client } from 'pg';
import type { ActivityRow, DeliveryRow, EventRow, History, RunRow, TaskRow, WebhookRow } from './history.ts';

/** What is pending: deliveries, and the number of deadlines that have passed or will within a minute. */
export interface Remaining {
  readonly deliveries: readonly Pick<DeliveryRow, 'webhookId' | 'isLeased'>[];
  readonly deadlines: number;
}

const leaseSeconds = 60;

/** Reads what is pending. A delivery counts as leased only after a worker has held it for `heldForSeconds`. */
export async function readRemaining(databaseUrl: string, heldForSeconds = 0): Promise<Remaining> {
  const leased = `lease_token is not null and next_attempt_at <= now() + interval '${leaseSeconds - heldForSeconds} seconds'`;
  const deliveries = await query<Remaining['deliveries'][number]>(
    databaseUrl,
    `select webhook_id as "webhookId", ${leased} as "isLeased" from webhook_deliveries where status = 'PENDING'`,
  );
  const [due] = await query<{ count: number }>(
    databaseUrl,
    `select count(*)::int from runs where next_deadline_at < now() + interval '1 minute'`,
  );
  return { deliveries, deadlines: due?.count ?? 0 };
}

/** Reads the part of the history that is in the database. */
export async function collect(
  databaseUrl: string,
): Promise<Pick<History, 'runs' | 'tasks' | 'activity' | 'events' | 'webhooks' | 'deliveries'>> {
  const read = <Row extends object>(text: string) => query<Row>(databaseUrl, text);
  const webhooks = await read<Omit<WebhookRow, 'path'> & { url: string }>(
    'select id, url, enabled, enabled_events as events from webhooks order by created_at',
  );
  return {
    runs: await read<RunRow>('select id, title, status, activity_count as "activityCount" from runs'),
    tasks: await read<TaskRow>('select id, run_id as "runId", status from run_tasks'),
    activity: await read<ActivityRow>(`
      select run_id as "runId", sequence, type, ${milliseconds('at')} as at, data ->> 'runTaskId' as "runTaskId",
        ${milliseconds(`(data ->> 'deadlineAt')::timestamptz`)} as "deadlineAt"
      from activity order by run_id, sequence`),
    events: await read<EventRow>(
      'select id, run_id as "runId", sequence, event, body, position::float8 as position from events where not is_test',
    ),
    webhooks: webhooks.map(({ id, url, enabled, events }) => ({ id, path: new URL(url).pathname, enabled, events })),
    deliveries: await read<DeliveryRow>(`
      select id, webhook_id as "webhookId", status, lease_token is not null as "isLeased",
        (select coalesce(json_agg(attempt -> 'statusCode'), '[]') from jsonb_array_elements(attempts) attempt) as attempts
      from webhook_deliveries`),
  };
}

const milliseconds = (time: string) => `round(extract(epoch from ${time}) * 1000)::float8`;

async function query<Row extends object>(databaseUrl: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
