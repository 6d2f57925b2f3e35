import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { defaultLimits } from '@runward/contract';
import { useApp } from '@runward/testing/app';
import { newDataFolder } from '@runward/testing/data-folder';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import Koa from 'koa';
import { openUploadFolder } from '../../src/adapters/upload-folder.ts';
import { listen } from '../../src/http/listen.ts';
import { holdRow } from '../support/database/hold-row.ts';
import { countStatements } from '../support/database/statements.ts';

const app = useApp(test, { limits: { requestsInWork: 1, requestsWaiting: 1 }, timeBudgetMs: 3_000 });

test('a request whose response says that it took too long is in work until its statement ends', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const run = await launchRun(api, templateId);
  const release = await holdRow(app, 'runs', run.id);
  const late = await api.call('runs', 'update', { params: { id: run.id }, body: { title: 'Other' } });
  t.is(late.error.code, 'timed_out');
  const lists = [api.call('runs', 'list'), api.call('runs', 'list')];
  t.is((await Promise.race(lists)).status, 429);
  await release();
  // Either of them can arrive first.
  const statuses = (await Promise.all(lists)).map(({ status }) => status);
  t.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 429],
  );
});

test.serial('the key of a request whose body arrives with its headers is looked up once', async (t) => {
  const { api } = await newOrganization(app);
  const lookUps = countStatements('key_hash');
  await must(api.call('templates', 'create', { body: { name: 'Usual' } }));
  t.is(lookUps.stop(), 1);
});

test('an upload that is cut off when the server closes has left nothing behind when it is closed', async (t) => {
  await using folder = await newDataFolder();
  const uploads = await openUploadFolder(folder.path);
  const receiving = new Koa();
  receiving.silent = true;
  receiving.use(async ({ req }) => void (await uploads.receive(req)));
  const { port, close } = await listen(receiving, '127.0.0.1', 0, { limits: defaultLimits, trustedProxies: 0 });
  const client = connect(port, '127.0.0.1').on('error', () => {});
  client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nthe first bytes');
  await until(async () => readdirSync(folder.path).length === 1, 'the file to be created');
  await close(0);
  t.deepEqual(readdirSync(folder.path), []);
});
