import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, startDatabaseProxy } from '@runward/testing/database';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startServiceFor } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { connectTo } from '../../support/database/connect.ts';

/** Makes the commit of a transaction that has inserted several rows into a table, or one, wait for an advisory lock. */
const waitAtCommit = (table: string, rows: number) => `
  create function wait_at_commit() returns trigger language plpgsql as $$ begin
    if (select count(*) from ${table} where xmin = pg_current_xact_id()::xid) >= ${rows} then
      perform pg_advisory_xact_lock(1);
    end if;
    return null; end $$;
  create constraint trigger wait_at_commit after insert on ${table} deferrable initially deferred
    for each row execute function wait_at_commit()`;

/** A service whose connections to its database can be cut while it commits a number of rows of a table. */
async function startCommitting(t: ExecutionContext, table: string, rows = 1) {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const { proxy, url: databaseUrl } = await startDatabaseProxy(url);
  t.teardown(() => proxy[Symbol.asyncDispose]());
  const dataDir = mkdtempSync(join(tmpdir(), 'runward-commit-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const service = await startServiceFor(t, dataDir, { DATABASE_URL: databaseUrl });
  const direct = await connectTo(t, url);
  const isCommitting = async () => {
    const { rows: waiting } = await direct.query(
      `select 1 from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
    return waiting.length > 0;
  };
  /** Makes a call whose connection is cut during its commit. */
  const cutDuring = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    await direct.query(waitAtCommit(table, rows));
    await direct.query('select pg_advisory_lock(1)');
    const pending = call();
    await until(isCommitting, 'the commit');
    proxy.drop();
    await direct.query('select pg_advisory_unlock(1)');
    return pending;
  };
  return { api: service.api(), direct, cutDuring };
}

test('a file whose upload was committed is kept although the connection was lost during the commit', async (t) => {
  const { api, cutDuring } = await startCommitting(t, 'files');
  const process = await publishProcess(api, [
    { title: 'Form', fields: [{ key: 'papers', label: 'Papers', type: 'FILE_UPLOAD' }] },
  ]);
  const run = await launchRun(api, process.templateId);
  const { runTaskId } = run.byTitle('Form');
  const { id: executionEntryId } = await must(api.call('execution', 'open', { body: { runTaskId } }));
  const upload = () => {
    const body = new FormData();
    body.append('executionEntryId', executionEntryId);
    body.append('runTaskFieldId', process.fields['papers']?.id ?? '');
    body.append('file', new File(['Hello'], 'a.txt'));
    return api.raw('POST', '/files/direct-upload', { body, headers: { 'idempotency-key': 'once' } });
  };
  t.is((await cutDuring(upload)).status, 503);

  const again = await until(async () => {
    const response = await upload();
    return response.status === 201 && response;
  }, 'the response to the repeated request');
  t.is(again.headers.get('idempotency-replayed'), 'true');
  const { id } = again.body as { id: string };
  const { url: downloadUrl } = await must(api.call('files', 'downloadUrl', { params: { id } }));
  t.is(await (await fetch(downloadUrl)).text(), 'Hello');
});

test('launches that share a statement are not saved twice if the connection is lost during its commit', async (t) => {
  const { api, direct, cutDuring } = await startCommitting(t, 'runs', 3);
  const { templateId } = await publishProcess(api);
  const titles = Array.from({ length: 30 }, (_, index) => `Run ${index}`);
  const answers = await cutDuring(async () =>
    Promise.all(titles.map(async (title) => api.call('runs', 'launch', { body: { templateId, title } }))),
  );
  const launched = titles.filter((_, index) => answers[index]?.status === 201);
  const isUnknown = answers.filter(({ status }) => status === 503);
  t.true(isUnknown.length >= 3, `${isUnknown.length} with a lost connection`);
  t.is(launched.length + isUnknown.length, titles.length);

  // The commit ends after the connection was lost.
  const saved = await until(async () => {
    const { rows } = await direct.query<{ title: string }>('select title from runs order by title');
    return rows.length >= launched.length + 3 && rows.map(({ title }) => title);
  }, 'the launches');
  t.deepEqual(saved, [...new Set(saved)]);
  t.deepEqual(
    launched.filter((title) => !saved.includes(title)),
    [],
  );
});
