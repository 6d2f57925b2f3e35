import { withClient } from '@runward/server/internal/database/connection/with-client';
import { until } from '@runward/testing/until';
import type { Client } from 'pg';
import type { Figure, Part } from '../harness/part.ts';
import { headersOf } from '../harness/profile.ts';
import { disableWebhooks } from '../seed/disable-webhooks.ts';
import { clientOf } from '../seed/file-target.ts';
import { createForms, tasks } from './forms.ts';

/** The tables whose rows every form changes. */
const changed = ['runs', 'run_tasks'];

/**
 * What runs of ten forms, one call each, make PostgreSQL write: bytes of the log per form, its launch included, and the
 * share of updates that left all indexes alone (HOT). Neither depends on what else the machine does.
 */
export const writes: Part = {
  name: 'writes',
  needs: 'service',
  measure: async ({ service, seeded, profile, load, stack, databaseUrl }) => {
    // Deliveries are measured by themselves.
    await disableWebhooks({ databaseUrl, stack });
    const { templateId, values } = await createForms(clientOf(service.url, seeded.apiKey));
    const carryOut = (runs: number) =>
      load.measure({
        kind: 'runs',
        url: service.url,
        headers: headersOf(seeded),
        templateId,
        runs,
        values,
        forms: 'one call',
      });
    const runs = profile.flows / tasks;
    return withClient(databaseUrl, async (client) => {
      await client.query('create extension if not exists pg_walinspect');
      await carryOut(profile.warmUpFlows / tasks);
      await until(() => isFeedPlaced(client), 'the events of earlier parts to get their place in the feed', 120);
      // Right after a checkpoint the log has a whole page for each change of another page, whatever the change.
      await client.query('checkpoint');
      await carryOut(runs);
      const before = await written(client);
      await carryOut(runs);
      const after = await written(client);
      const forms = runs * tasks;
      const figures: Figure[] = [
        { name: 'log per form (kB)', max: (after.bytes - before.bytes) / forms / 1000, aim: '<= 4' },
        ...changed.map((table) => ({
          name: `HOT updates of ${table} (%)`,
          max: hotShare(before, after, table),
          aim: '>= 90',
        })),
      ];
      const parts = await logByRelation(client, before.at, after.at);
      const shown = parts.map(
        ({ name, bytes, images }) => `${name} ${(bytes / forms).toFixed(0)} (${(images / forms).toFixed(0)})`,
      );
      const notes = [`Bytes of the log per form, and those of whole pages in it: ${shown.join(', ')}.`];
      return { figures, notes };
    });
  },
};

/** Whether no event waits for its place in the feed. A job places them, which would be measured as well. */
async function isFeedPlaced(client: Client): Promise<boolean> {
  const { rowCount } = await client.query('select from events where position is null and not is_test limit 1');
  return rowCount === 0;
}

interface Written {
  readonly at: string;
  readonly bytes: number;
  readonly updates: ReadonlyMap<string, { readonly all: number; readonly hot: number }>;
}

/** What PostgreSQL has written so far. */
async function written(client: Client): Promise<Written> {
  // A connection reports its numbers after a second at the latest.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const {
    rows: [position],
  } = await client.query<{ at: string; bytes: number }>(
    `select pg_current_wal_lsn()::text as at, (pg_current_wal_lsn() - '0/0')::float as bytes`,
  );
  const { rows } = await client.query<{ table: string; all: number; hot: number }>(
    `select relname as table, n_tup_upd::float as all, n_tup_hot_upd::float as hot from pg_stat_user_tables where relname = any($1)`,
    [changed],
  );
  if (!position) throw new Error('PostgreSQL named no position of its log.');
  return { ...position, updates: new Map(rows.map(({ table, ...rest }) => [table, rest])) };
}

function hotShare(before: Written, after: Written, table: string): number {
  const [one, other] = [before, after].map(({ updates }) => updates.get(table) ?? { all: 0, hot: 0 });
  return one && other ? (100 * (other.hot - one.hot)) / (other.all - one.all) : NaN;
}

async function logByRelation(client: Client, from: string, to: string) {
  const { rows } = await client.query<{ name: string; bytes: number; images: number }>(
    `select coalesce(class.relname, 'other') as name, sum(bytes)::float as bytes, sum(images)::float as images from (
      select reldatabase, relfilenode, block_fpi_length as images, block_data_length + block_fpi_length
        + (record_length - sum(block_data_length + block_fpi_length) over record)::float / count(*) over record as bytes
      from pg_get_wal_block_info($1, $2, false) window record as (partition by start_lsn)) block
    left join pg_class class on class.oid = pg_filenode_relation(0, block.relfilenode)
    group by 1 order by 2 desc limit 20`,
    [from, to],
  );
  return rows;
}
