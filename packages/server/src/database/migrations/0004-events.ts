import { Migration } from '@mikro-orm/migrations';

/**
 * Events on their own, one for all webhooks that hear of it, with a place in the feed; deliveries with a lane and a pace. Neither table
 * refers to the other: both are emptied by age, deliveries first, and checking would cost an index on every write.
 */
export class Migration0004Events extends Migration {
  override up(): void {
    this.addSql(`
      create table events (
        id uuid primary key,
        organization_id uuid not null references organizations,
        run_id uuid,
        template_id uuid,
        sequence int,
        event text not null,
        body text not null,
        is_test boolean not null default false,
        position bigint,
        created_at timestamptz not null
      );

      -- The end of each organization's feed; its row is the lock under which positions are given.
      create table event_feeds (
        organization_id uuid primary key references organizations,
        position bigint not null
      );
    `);

    // Deliveries from before this version get the sequence their events have had in the activity all along.
    this.addSql(`
      with delivery as (
        select id, organization_id, event, body::json as body, is_test, created_at,
          (body::json -> 'data' ->> 'runId')::uuid as run_id, (body::json -> 'data' ->> 'templateId')::uuid as template_id
        from webhook_deliveries
      ), placed as (
        select delivery.*, coalesce((
          select min(sequence) from activity
          where activity.run_id = delivery.run_id and activity.type = delivery.event
            and activity.at = (delivery.body ->> 'timestamp')::timestamptz
            and (activity.data ->> 'runTaskId') is not distinct from (delivery.body -> 'data' ->> 'runTaskId')
        ), 1) as sequence
        from delivery
      )
      insert into events (id, organization_id, run_id, template_id, sequence, event, body, is_test, created_at)
      select id, organization_id, run_id, template_id, sequence, event,
        jsonb_set(body::jsonb, '{data,sequence}', to_jsonb(sequence))::text, is_test, created_at
      from placed;
    `);

    this.addSql(`
      create index events_feed_index on events (organization_id, position) where position is not null;
      create index events_unplaced_index on events (organization_id) where position is null and not is_test;

      drop index webhook_deliveries_due_index, webhook_deliveries_test_index, webhook_deliveries_webhook_index;
      alter table webhook_deliveries
        drop constraint webhook_deliveries_pkey,
        add primary key (webhook_id, id),
        add column lane smallint not null default 0 check (lane in (0, 1, 2)),
        add column tries int not null default 0;
      update webhook_deliveries
      set tries = jsonb_array_length(attempts), lane = case when is_test then 2 when attempts <> '[]' then 1 else 0 end;
      alter table webhook_deliveries drop column is_test, drop column body;
      create index webhook_deliveries_due_index on webhook_deliveries (webhook_id, lane, next_attempt_at)
        where status = 'PENDING';

      alter table webhooks add column backlog_from timestamptz;
    `);
  }

  override down(): void {
    throw new Error('Going back would lose events; restore a backup instead.');
  }
}
