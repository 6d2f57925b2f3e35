import type { HashedLine } from '@runward/engine';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import type {
  ActivityRow,
  DeliveryRow,
  EventRow,
  History,
  RuleSyncRow,
  RunRow,
  TaskRow,
  WebhookRow,
} from './history.ts';

/**
 * The amount of pending work: deliveries; deadlines and reminders that are due or will be within a minute; rule syncs;
 * files to examine; files that a worker holds; events that may notify members, notifications that are due within a
 * minute, and mails.
 */
export interface Pending {
  readonly deliveries: number;
  readonly deadlines: number;
  readonly ruleSyncs: number;
  readonly files: number;
  readonly scans: number;
  readonly mails: number;
}

/** Counts what is pending. */
export async function countPending(databaseUrl: string): Promise<Pending> {
  const [counts] = await query<Pending>(
    databaseUrl,
    `select (select count(*)::int from webhook_deliveries where status = 'PENDING') as deliveries,
      (select count(*)::int from runs where next_deadline_at < now() + interval '1 minute') as deadlines,
      (select count(*)::int from rule_syncs where status = 'RUNNING') as "ruleSyncs",
      (select count(*)::int from files where next_attempt_at is not null) as files,
      (select count(*)::int from files where lease_token is not null and next_attempt_at > now()) as scans,
      (select count(*)::int from events where position is null
        or position > (select min(position) from notification_cursors))
      + (select count(*)::int from notifications where mail_id is null and dropped_reason is null
        and due_at < now() + interval '1 minute')
      + (select count(*)::int from mails where status = 'PENDING') as mails`,
  );
  return counts ?? { deliveries: 0, deadlines: 0, ruleSyncs: 0, files: 0, scans: 0, mails: 0 };
}

/** Reads the part of the history that is in the database. */
export async function collect(
  databaseUrl: string,
): Promise<Pick<History, 'runs' | 'tasks' | 'ruleSyncs' | 'activity' | 'events' | 'webhooks' | 'deliveries'>> {
  const read = <Row extends object>(text: string) => query<Row>(databaseUrl, text);
  const webhooks = await read<Omit<WebhookRow, 'path'> & { url: string }>(
    'select id, url, enabled, ordered, enabled_events as events from webhooks order by created_at',
  );
  return {
    runs: await read<RunRow>(
      `select id, title, status, activity_count as "activityCount", activity_hash as "activityHash",
        template_version_id as "versionId", rules_version_id as "rulesVersionId" from runs`,
    ),
    tasks: await read<TaskRow>(`
      select id, run_id as "runId", status, case when removed_at is not null then 'removed'
        when retired_from_version_id is not null then 'retired' else 'current' end as place
      from run_tasks`),
    ruleSyncs: await read<RuleSyncRow>('select template_id as "templateId", status, total, processed from rule_syncs'),
    activity: (
      await read<StoredActivity>(`
      select run_id as "runId", sequence, type, ${milliseconds('at')} as at, data ->> 'runTaskId' as "runTaskId",
        ${milliseconds(`(data ->> 'deadlineAt')::timestamptz`)} as "deadlineAt",
        id, actor_type as "actorType", actor_user_id as "actorUserId", actor_api_key_id as "actorApiKeyId", data, hash
      from activity order by run_id, sequence`)
    ).map(withLine),
    events: await read<EventRow>(
      'select id, run_id as "runId", sequence, event, body, position::float8 as position from events where not is_test',
    ),
    webhooks: webhooks.map(({ id, url, enabled, ordered, events }) => ({
      id,
      path: new URL(url).pathname,
      enabled,
      ordered,
      events,
    })),
    deliveries: await read<DeliveryRow>(`
      select id, webhook_id as "webhookId", status,
        (select coalesce(json_agg(attempt -> 'statusCode'), '[]') from jsonb_array_elements(attempts) attempt) as attempts
      from webhook_deliveries`),
  };
}

type StoredActivity = Omit<ActivityRow, 'line'> &
  Pick<HashedLine, 'id' | 'data' | 'hash'> & {
    readonly actorType: HashedLine['actor']['type'];
    readonly actorUserId: string | null;
    readonly actorApiKeyId: string | null;
  };

function withLine(row: StoredActivity): ActivityRow {
  const { runId, sequence, type, at, runTaskId, deadlineAt, id, actorType, actorUserId, actorApiKeyId, data, hash } =
    row;
  const actor = { type: actorType, userId: actorUserId, apiKeyId: actorApiKeyId };
  const line = { id, sequence, type, at: new Date(at).toISOString(), actor, runTaskId, data, hash };
  return { runId, sequence, type, at, runTaskId, deadlineAt, line };
}

const milliseconds = (time: string) => `round(extract(epoch from ${time}) * 1000)::float8`;

/** Sends a query on a separate connection. */
export async function query<Row extends object>(
  databaseUrl: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return withClient(databaseUrl, async (client) => (await client.query<Row>(text, [...values])).rows);
}
