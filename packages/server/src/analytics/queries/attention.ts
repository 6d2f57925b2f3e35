import { attentionDays, listedAttention, maximumAttention, type Contract, type Response } from '@runward/contract';
import { activeRunStatuses } from '@runward/engine';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { queues } from '../../webhooks/entities/webhook-delivery.ts';

type Attention = Response<Contract['attention']['get']>;
type Finding<Kind extends keyof Attention> = Attention[Kind]['newest'][number];

/** A kind of findings: how many there are, up to a limit, and the newest of them. */
interface Findings<Item> {
  readonly count: number;
  readonly newest: Item[];
}

/**
 * Makes the statement for one kind of findings of the organization $1. `text` selects them by an index, the newest
 * first, so that the statement reads at most `maximumAttention` of them, even if there are millions. `at` is the column
 * by which they are ordered.
 */
function findings<Item>(text: string, at: string) {
  return statement<Findings<Item>>(`
    with found as materialized (${text} limit ${maximumAttention})
    select (select count(*)::int from found) as count,
      coalesce((select json_agg(item) from (select * from found order by "${at}" desc limit ${listedAttention}) item), '[]') as newest`);
}

/** A time as the API writes it. */
function timestamp(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const activeStatuses = activeRunStatuses.map((status) => `'${status}'`).join(', ');

// A run that was migrated, or has ended since, needs nothing any more.
const readRulesSyncs = findings<Finding<'failedRulesSyncs'>>(
  `select template.id as "templateId", template.name as "templateName", kept.id as "runId", kept.message,
      ${timestamp('sync.finished_at')} as "finishedAt"
    from rule_syncs sync
    join templates template on template.organization_id = sync.organization_id and template.id = sync.template_id
    join template_versions version on version.organization_id = sync.organization_id and version.id = sync.template_version_id
    cross join lateral (
      select run.id, failed.message
      from jsonb_to_recordset(sync.failed) failed ("runId" uuid, message text)
      join runs run on run.organization_id = $1 and run.id = failed."runId"
      join template_versions current on current.organization_id = $1
        and current.id = coalesce(run.rules_version_id, run.template_version_id)
      where run.status in (${activeStatuses}) and current.number < version.number
      order by run.id limit 1) kept
    where sync.organization_id = $1 and sync.status = 'FAILED' and template.deleted_at is null
    order by sync.finished_at desc`,
  'finishedAt',
);

const readDeliveries = findings<Finding<'failedDeliveries'>>(
  `select delivery.record_id as id, delivery.webhook_id as "webhookId", webhook.name as "webhookName", delivery.event,
      ${timestamp('delivery.created_at')} as "createdAt"
    from webhook_deliveries delivery
    join webhooks webhook on webhook.organization_id = delivery.organization_id and webhook.id = delivery.webhook_id
    where delivery.organization_id = $1 and delivery.status = 'FAILED' and delivery.queue <> ${queues.test}
      and delivery.created_at > now() - interval '${attentionDays} days'
    order by delivery.created_at desc`,
  'createdAt',
);

const readFiles = findings<Finding<'infectedFiles'>>(
  `select file.id, file.file_name as "fileName", file.scan_signature as signature, run.id as "runId", run.title as "runTitle",
      ${timestamp('file.scanned_at')} as "scannedAt"
    from files file
    join runs run on run.organization_id = file.organization_id and run.id = file.run_id
    where file.organization_id = $1 and file.scan_status = 'INFECTED'
      and file.scanned_at > now() - interval '${attentionDays} days'
    order by file.scanned_at desc`,
  'scannedAt',
);

/** What needs the attention of an administrator and is in no list. */
export async function findAttention(em: Em, organizationId: string): Promise<Attention> {
  const read = async <Item>(statementOf: (em: Em, ...parameters: unknown[]) => Promise<Findings<Item>[]>) => {
    const [found = { count: 0, newest: [] }] = await statementOf(em, organizationId);
    return found;
  };
  return {
    failedRulesSyncs: await read(readRulesSyncs),
    failedDeliveries: await read(readDeliveries),
    infectedFiles: await read(readFiles),
  };
}
