import { randomBytes } from 'node:crypto';
import { apiOf } from '@runward/testing/api';
import { readColumns } from '@runward/testing/checks/columns';
import { secrets, watchSecrets } from '@runward/testing/checks/secrets';
import { createDatabase } from '@runward/testing/database';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { createLog } from '../../src/telemetry/log.ts';
import { connectToNew } from '../support/database/connect.ts';

const app = useSharedApp(test);

const newSecret = () => randomBytes(18).toString('base64url');

test.serial('every secret that passes through the test support is watched', async (t) => {
  const learns = async <Result>(count: number, what: string, act: () => Promise<Result>): Promise<Result> => {
    const before = secrets.values.size;
    const result = await act();
    t.is(secrets.values.size - before, count, what);
    return result;
  };
  const org = await learns(3, 'key, password, signing secret', () => newOrganization(app));
  await learns(1, 'another key', () => org.key({}));
  await learns(1, 'a wrong key', () => apiOf(app.baseUrl, `sk_live_${newSecret()}`).raw('GET', '/runs'));
  const owner = await learns(2, 'session and its header', () => org.session());
  await learns(3, 'password, session and its header', () => addMember(app.baseUrl, owner));
  await learns(1, 'a made key', () =>
    must(owner.call('apiKeys', 'create', { body: { name: 'K', scopes: ['runs:read'] } })),
  );
  await learns(1, 'a new signing secret', () => must(owner.call('organization', 'rotateSigningSecret')));
  const newPassword = newSecret();
  const body = { currentPassword: org.ownerPassword, newPassword };
  await learns(1, 'a new password', () => must(owner.call('auth', 'changePassword', { body })));
});

test('a key that is sent in the wrong place appears in no error', async (t) => {
  const { api, apiKey } = await newOrganization(app);
  const responses = [
    await api.raw('GET', `/${apiKey}`),
    await api.raw('GET', `/runs/${apiKey}`),
    await api.raw('GET', `/runs?${apiKey}=1&limit=${apiKey}`),
    await api.raw('POST', '/templates', { body: { [apiKey]: apiKey } }),
    await api.raw('POST', '/templates', { body: `{"name": ${apiKey}` }),
  ];
  for (const { status, error } of responses) {
    t.true(status === 400 || status === 404);
    t.false(JSON.stringify(error).includes(apiKey));
  }
});

test('an error has the path as it was sent, and the log has no token of a path, even of one that only nearly matches', async (t) => {
  const token = `share_${newSecret()}`.replaceAll(/[-_]/g, 'x');
  const encoded = token.replace('x', '%78');
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const paths = [`/files/transfer/${token}`, `/shared-templates/${token}/preview`].flatMap((path) => [
    path,
    `/${path}`,
    `${path}w`,
    path.replace('/shared', '//shared').replace('/transfer', '//transfer'),
    path.toUpperCase().replace(token.toUpperCase(), token),
    path.replace(token, `/${token}/`),
    path.replace(token, encoded),
    path.replace(`/${token}`, `%2F${token}`),
  ]);
  for (const path of paths) {
    const response = await fetch(new URL(app.baseUrl + path));
    t.like(await response.json(), { path });
    log.info({ path });
    const line = lines.at(-1) ?? '';
    t.true(line.includes('[redacted]') && !line.includes(token) && !line.includes(encoded), line);
  }
  const share = `/shared-templates/${crypto.randomUUID()}`;
  log.info({ path: share });
  t.true(lines.at(-1)?.includes(share));
});

test('a secret in the log or in an error is detected without being repeated', async (t) => {
  const { url, drop } = await createDatabase({ empty: true });
  t.teardown(drop);
  const secret = newSecret();
  const watch = watchSecrets();
  watch.remember(secret);
  const log = createLog('trace', { write: (line) => watch.keep('log', line) });
  log.info({ password: secret }, 'left out by its name');
  watch.keep('response to GET /runs', '{"message":"harmless"}');
  t.deepEqual(watch.leaks(await readColumns(url)), []);

  log.trace(`signed in with ${secret}`);
  watch.keep(`response to GET /${secret}`, `{"message":"${secret} is unknown"}`);
  const [line = '', response, ...others] = watch.leaks(await readColumns(url));
  t.regex(line, /^log: .*"msg":"signed in with \*\*\*"/);
  t.is(response, 'response to GET /***: {"message":"*** is unknown"}');
  t.deepEqual(others, []);
});

test('a secret in any column is detected, except where it is stored by design', async (t) => {
  const { url, client } = await connectToNew(t);
  await client.query(
    `insert into organizations (id, name, plan, time_zone, signing_secret, created_at)
     values (gen_random_uuid(), 'Test', 'PRO', 'UTC', 'x', now())`,
  );
  await client.query('create table planted (words text, list text[], facts jsonb, bytes bytea)');
  await client.query('insert into planted default values');
  const plant = async (table: string, column: string, value: string) => {
    const watch = watchSecrets();
    const secret = newSecret();
    watch.remember(secret);
    await client.query(`update ${table} set ${column} = ${value.replace('?', `'${secret}'`)}`);
    return watch.leaks(await readColumns(url));
  };
  t.deepEqual(await plant('organizations', 'signing_secret', '?'), []);
  t.deepEqual(await plant('organizations', 'name', `'secret of ' || ?`), ['column organizations.name']);
  t.deepEqual(await plant('planted', 'words', '?'), ['column planted.words']);
  t.deepEqual(await plant('planted', 'list', 'array[?]'), ['column planted.list']);
  t.deepEqual(await plant('planted', 'facts', `jsonb_build_object('a', jsonb_build_array(?))`), [
    'column planted.facts',
  ]);
  t.deepEqual(await plant('planted', 'bytes', `convert_to(?, 'UTF8')`), ['column planted.bytes']);
});
