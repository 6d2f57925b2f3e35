import { until } from '@runward/testing/until';
import type { Database, Em } from '../../../src/database/database.ts';
import { runStatement, statement } from '../../../src/database/statement.ts';
import { inTransaction } from '../../../src/database/transaction.ts';

/** Columns that requests write although they change nothing. */
const aside = ['last_used_at', 'last_seen_at'];

const findTables = statement<{ name: string; hasAside: boolean }>(`
  select table_name as name, bool_or(column_name = any($1)) as "hasAside"
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('agenda_jobs', 'rate_limits', 'audit_heads')
  group by table_name`);

const countUnfinished = statement<{ count: number }>(`
  select (
      select count(*) from webhook_deliveries delivery
      join webhooks on webhooks.organization_id = delivery.organization_id and webhooks.id = delivery.webhook_id
      where delivery.status = $1)
    + (select count(*) from webhooks where leased_until > now())
    + (select count(*) from files where next_attempt_at is not null) as count`);

const texts = new WeakMap<Database, string>();

/**
 * A fingerprint of the rows of every table, to tell that nothing changed; waits until nothing is left to deliver or
 * examine, and no worker holds a webhook, because it places the events of an ordered one.
 */
export async function fingerprints(database: Database): Promise<Readonly<Record<string, string>>> {
  const isFinished = async (em: Em) => (await countUnfinished(em, 'PENDING'))[0]?.count === 0;
  await until(() => isFinished(database.em.fork()), 'the deliveries and the examination of the files');
  return inTransaction(database, async (em) => {
    const text = texts.get(database) ?? (await findTables(em, aside)).map(fingerprintOf).join(' union all ');
    texts.set(database, text);
    const rows = await runStatement<{ name: string; hash: string }>(em, text, [aside]);
    return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
  });
}

/** What leaves a line in the audit log although it changes nothing: exports, and sign-ins that are rejected. */
const auditedReads = `'runs.exported', 'audit_log.exported', 'session.rejected'`;
/** Without what depends on the lines before. */
const changesOfAudit = `(select organization_id, action, target_id, before, after from audit_lines
  where action not in (${auditedReads}))`;

/**
 * The rows of a table as one hash. PostgreSQL gives every row that is written a new version, so most tables are
 * compared by the versions of their rows. Where some columns do not count, the others are compared.
 */
function fingerprintOf({ name, hasAside }: { readonly name: string; readonly hasAside: boolean }): string {
  const isAudit = name === 'audit_lines';
  const row = hasAside || isAudit ? '(to_jsonb(each) - $1::text[])::text' : 'xmin::text || ctid::text';
  return `select '${name}' as name, coalesce(sum(hashtextextended(${row}, 0)), 0)::text as hash from ${isAudit ? changesOfAudit : name} each`;
}
