import { CompiledQuery } from 'kysely';
import type { Database, Em } from '../../src/database/database.ts';
import { RunFile } from '../../src/runs/entities/run-file.ts';
import { countPendingDeliveries } from '../../src/webhooks/delivery/count-pending-deliveries.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { until } from '@runward/testing/until';

/** What requests write although they change nothing. */
const aside = "array['last_used_at', 'last_seen_at']";
const tables = `select tablename as name from pg_tables
  where schemaname = 'public' and tablename not in ('agenda_jobs', 'rate_limits')`;

/** A fingerprint of the rows of every table, to tell that nothing changed; waits until nothing is left to deliver or examine. */
export async function fingerprints(database: Database): Promise<Readonly<Record<string, string>>> {
  await until(() => inTransaction(database, async (em) => (await countPendingDeliveries(em)) === 0), 'the deliveries');
  const isExamined = async (em: Em) => (await em.count(RunFile, { nextAttemptAt: { $ne: null } })) === 0;
  await until(() => inTransaction(database, isExamined), 'the examination of the files');
  return inTransaction(database, async (em) => {
    const query = async <Row>(text: string) => (await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text))).rows;
    const names = (await query<{ name: string }>(tables)).map(({ name }) => name);
    const rows = await query<{ name: string; hash: string }>(names.map(fingerprintOf).join(' union all '));
    return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
  });
}

function fingerprintOf(name: string): string {
  const row = `(to_jsonb(each) - ${aside})::text`;
  return `select '${name}' as name, md5(coalesce(string_agg(${row}, ',' order by ${row}), '')) as hash from ${name} each`;
}
