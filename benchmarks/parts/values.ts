import type { ValueFilter } from '@runward/contract';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import { must } from '@runward/testing/process';
import type { Figure, Part } from '../harness/part.ts';
import { timeEach } from '../harness/times.ts';
import { startOn } from '../seed/many-runs.ts';

/** Filters that few runs match. `customer` is a text, `amount` a number and `signed` a date. */
const filters: Readonly<Record<string, readonly ValueFilter[]>> = {
  'a text is': [{ variable: 'customer', operator: 'EQUALS', value: 'Customer 4711' }],
  'a text contains': [{ variable: 'customer', operator: 'CONTAINS', value: 'omer 4711' }],
  'a number is at least': [{ variable: 'amount', operator: 'GREATER_OR_EQUAL', value: 999_500 }],
  'a date is before': [{ variable: 'signed', operator: 'BEFORE', value: '2000-01-04' }],
  'a text is, and a number is less than': [
    { variable: 'customer', operator: 'EQUALS', value: 'Customer 4711' },
    { variable: 'amount', operator: 'LESS_THAN', value: 500_000 },
  ],
};

/** Lists of many runs, filtered by the values of three variables that each of them has. */
export const values: Part = {
  name: 'values',
  needs: 'nothing',
  measure: async (bench) => {
    const database = 'valued_runs';
    const { api } = await startOn(bench, database, { runs: bench.runs, tasks: 0 });
    bench.log('Inserting the values ...');
    await insertValues(bench.postgres.url(database));
    const figures: Figure[] = [];
    for (const [title, filter] of Object.entries(filters)) {
      const list = () => must(api.call('runs', 'list', { query: { values: JSON.stringify(filter), limit: 50 } }));
      const { total } = await list();
      const { p50, p95, max } = await timeEach(bench.profile.isQuick ? 20 : 100, list);
      figures.push({ name: `${title}: ${total} of ${bench.runs} runs, ms`, p50, p95, max, aim: 'p95 <= 100' });
    }
    return { figures };
  },
};

async function insertValues(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query('set session_replication_role = replica');
    await client.query(`
      insert into searchable_fields (organization_id, template_id, source, type, name, status)
      select organization_id, id, source, type, source, 'READY' from templates,
        (values ('$customer', 'TEXT'), ('$amount', 'NUMBER'), ('$signed', 'DATE')) field (source, type)
      on conflict do nothing`);
    await client.query(`
      insert into searchable_values (organization_id, run_id, source, position, text, number)
      select organization_id, id, source, 0, text, number from (select *, abs(hashtext(id::text)) as hash from runs) run
      cross join lateral (values
        ('$customer', 'customer ' || hash % 50000, null),
        ('$amount', null, (hash / 7 % 1000000)::float8),
        ('$signed', (date '2000-01-01' + hash / 11 % 9000)::text, null)) value (source, text, number)
      on conflict do nothing`);
    await client.query('vacuum (analyze) searchable_values');
  });
}
