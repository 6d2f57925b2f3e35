import { createDatabase } from '@runward/testing/database';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { selectList } from '../../src/database/columns.ts';
import { openDatabase } from '../../src/database/database.ts';
import { Run } from '../../src/runs/entities/run.ts';
import { insertSampleRows } from '../support/database/sample-rows.ts';

/** A database with one row in every table for each of two organizations. */
async function useSampleRows(t: ExecutionContext) {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const client = new Client({ connectionString: url });
  await client.connect();
  await insertSampleRows(client);
  await insertSampleRows(client);
  await client.end();
  const database = await openDatabase(url, { poolSize: 1 });
  t.teardown(() => database.close());
  return { database };
}

test('the compiler knows the tables, columns and values of Kysely queries', async (t) => {
  const { database } = await useSampleRows(t);
  const db = database.em.fork().getKysely();

  const run = await db
    .selectFrom('runs')
    .innerJoin('templates', (join) =>
      join
        .onRef('templates.organization_id', '=', 'runs.organization_id')
        .onRef('templates.id', '=', 'runs.template_id'),
    )
    .select(['runs.id', 'runs.status', 'runs.completed_at', 'runs.activity_count', 'templates.updated_at'])
    .executeTakeFirstOrThrow();
  const { status, activity_count: count, completed_at: completedAt, updated_at: updatedAt } = run;
  const statuses: ('RUNNING' | 'OVERDUE' | 'COMPLETED' | 'CANCELLED')[] = [status];
  const timestamps: (string | null)[] = [completedAt, updatedAt];
  t.deepEqual([...statuses, count, completedAt], ['RUNNING', 1, null]);
  t.is(typeof updatedAt, 'string', `${timestamps.length} timestamps are read as text`);

  const mistakes = [
    // @ts-expect-error - a table that does not exist must not compile
    db.selectFrom('run').selectAll(),
    // @ts-expect-error - a misspelt column must not compile
    db.selectFrom('runs').select('titel'),
    // @ts-expect-error - a misspelt column in a condition must not compile
    db.selectFrom('runs').select('id').where('organisation_id', '=', run.id),
    // @ts-expect-error - a value that the column cannot have must not compile
    db.selectFrom('runs').select('id').where('status', '=', 'STOPPED'),
    // @ts-expect-error - a row without a required column must not compile
    db.insertInto('folders').values({ id: run.id, name: 'x', created_at: new Date() }),
    // @ts-expect-error - a number is no timestamp
    db.updateTable('runs').set({ completed_at: 1 }),
  ];
  t.true(mistakes.every((query) => 'compile' in query));
});

test('column lists come from the entities', (t) => {
  const list = selectList(Run, 'run', ['id', 'publicId', 'scheduledDateLocal']);
  t.is(list, 'run.id as "id", run.public_id as "publicId", run.scheduled_date_local as "scheduledDateLocal"');
  // @ts-expect-error - a misspelt property must not compile
  t.truthy(selectList(Run, 'run', ['titel']));
});
