import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, startDatabaseProxy } from '@runward/testing/database';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startServiceFor } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test from 'ava';
import { connectTo } from '../../support/database/connect.ts';

/** Makes the commit of a transaction that inserts a file wait for an advisory lock. */
const waitAtCommit = `
  create function wait_at_commit() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(1); return null; end $$;
  create constraint trigger wait_at_commit after insert on files deferrable initially deferred
    for each row execute function wait_at_commit()`;

test('a file whose upload was committed is kept although the connection was lost during the commit', async (t) => {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const { proxy, url: databaseUrl } = await startDatabaseProxy(url);
  t.teardown(() => proxy[Symbol.asyncDispose]());
  const dataDir = mkdtempSync(join(tmpdir(), 'runward-commit-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const service = await startServiceFor(t, dataDir, { DATABASE_URL: databaseUrl });
  const api = service.api();
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

  const direct = await connectTo(t, url);
  await direct.query(waitAtCommit);
  await direct.query('select pg_advisory_lock(1)');
  const first = upload();
  const isCommitting = async () => {
    const { rows } = await direct.query(
      `select 1 from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length > 0;
  };
  await until(isCommitting, 'the commit');
  proxy.drop();
  t.is((await first).status, 503);
  await direct.query('select pg_advisory_unlock(1)');

  const again = await until(async () => {
    const response = await upload();
    return response.status === 201 && response;
  }, 'the response to the repeated request');
  t.is(again.headers.get('idempotency-replayed'), 'true');
  const { id } = again.body as { id: string };
  const { url: downloadUrl } = await must(api.call('files', 'downloadUrl', { params: { id } }));
  t.is(await (await fetch(downloadUrl)).text(), 'Hello');
});
