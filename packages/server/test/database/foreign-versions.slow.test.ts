import { newDataFolder } from '@runward/testing/data-folder';
import { must } from '@runward/testing/process';
import { startService } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { adminIn } from '../support/admin.ts';
import { connectToNew } from '../support/database/connect.ts';

async function connected(t: ExecutionContext) {
  const { url, client } = await connectToNew(t);
  const folder = await newDataFolder();
  t.teardown(() => folder[Symbol.asyncDispose]());
  const start = async () => {
    const service = await startService(folder.path, { DATABASE_URL: url });
    t.teardown(() => service.child.kill('SIGKILL'));
    return service;
  };
  return { url, client, start };
}

test('the service and the administration command end with 78 and one sentence if the database is newer', async (t) => {
  const { url, client, start } = await connected(t);
  await client.query("insert into migrations (name) values ('0002-future')");
  const sentence = /The database is newer than this program, which does not know its migration 0002-future: .+\./;

  const service = await start();
  t.is(await service.exited, 78, service.log());
  const lines = service.log().trim().split('\n');
  t.is(lines.length, 1);
  t.regex((JSON.parse(lines[0] ?? '') as { msg: string }).msg, sentence);
  t.notRegex(service.log(), /stack/);

  const { code, stderr } = await adminIn({ DATABASE_URL: url }).run(['organization', 'list']);
  t.is(code, 78);
  t.regex(stderr, sentence);
  t.is((await client.query('select from organizations')).rowCount, 0);
});

test('a process whose database is migrated by a newer one is not ready, refuses writes and still reads', async (t) => {
  const { client, start } = await connected(t);
  const service = await start();
  await service.ready();
  const api = service.api();
  const create = () => api.call('templates', 'create', { body: { name: 'Process' } });
  const { id } = await must(create());

  await client.query("insert into migrations (name) values ('0002-small-compatible')");
  t.is((await fetch(`${service.baseUrl}/health/ready`)).status, 200);
  t.is((await create()).status, 201);

  await client.query("insert into migrations (name) values ('0003-future')");
  // Without a request for readiness: the process notices it itself.
  const refused = await until(async () => {
    const response = await create();
    return response.status === 201 ? undefined : response;
  }, 'a write to be refused');
  t.is(refused.status, 503);
  t.regex(String(refused.error.message), /^Nothing was changed, because the database is newer than this program/);
  t.is((await api.call('templates', 'get', { params: { id } })).status, 200);
  const signIn = await fetch(`${service.baseUrl}/auth/login`, { method: 'POST' });
  t.is(signIn.status, 503);
  const ready = await fetch(`${service.baseUrl}/health/ready`);
  t.is(ready.status, 503);
  t.regex(((await ready.json()) as { message: string }).message, /^Not ready: the database is newer.+0003-future/);

  await client.query("delete from migrations where name = '0003-future'");
  await until(async () => (await create()).status === 201, 'a write to be accepted');
});
