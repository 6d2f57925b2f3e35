import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { contract } from '@runward/contract';
import { apiOf, apiWith } from '@runward/testing/api';
import { createDatabase } from '@runward/testing/database';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { startServiceFor } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test from 'ava';
import { openDatabase } from '../../src/database/database.ts';
import { newApiKey } from '../../src/organization/api-key-token.ts';
import { createLog } from '../../src/telemetry/log.ts';

type Line = Record<string, unknown>;

function newLog(level?: string) {
  const lines: string[] = [];
  return { lines, log: createLog(level, { write: (line) => void lines.push(line) }) };
}

test('secrets are redacted by property name at any depth, and API keys by their format', (t) => {
  const { log, lines } = newLog();
  const { plainKey } = newApiKey();
  const headers = {
    authorization: 'Bearer canary',
    Cookie: 'flow_session=canary',
    'set-cookie': ['canary', 'canary'],
    'x-service-csrf': 'canary',
    'x-flow-signature': 'canary',
    'x-flow-signature-previous': 'canary',
    accept: 'text/html',
  };
  const member = { passwordHash: 'canary', newPassword: 'canary', ownerPassword: 'canary', name: 'Ada' };
  const organization = { signingSecret: 'canary', previousSigningSecret: null, secret: { of: 'canary' } };
  log.info({ deep: [{ er: { headers } }], member, organization, apiKey: 'canary', plainKey: 'canary', apiKeyId: 'id' });
  log.warn({ url: `/runs?key=${plainKey}`, bytes: Buffer.from('canary'), toJSON: () => member }, `used ${plainKey}`);
  log.error(new Error(`no ${plainKey}`, { cause: Object.assign(new Error('why'), { token: 'canary', code: 'E1' }) }));
  const detail = 'Failing row contains (canary)';
  const broken = Object.assign(new Error(`row - detail: ${detail}`), { detail, constraint: 'c' });
  log.error({ err: broken }, 'x');
  log.error(broken);
  log.fatal({ err: broken }, broken.message);
  log.child({ plainKey: `of ${plainKey}` }).info('of a child');

  const all = lines.join('');
  t.notRegex(all, /canary/);
  t.false(all.includes(plainKey));
  const [first, , third = {}, fourth] = lines.map((line) => JSON.parse(line) as Line);
  t.like(first, {
    deep: [{ er: { headers: { accept: 'text/html', authorization: '[redacted]' } } }],
    member: { name: 'Ada', passwordHash: '[redacted]' },
    organization: { previousSigningSecret: null },
    apiKeyId: 'id',
  });
  t.like(third, {
    level: 50,
    msg: 'no sk_live_[redacted]',
    err: { type: 'Error', cause: { code: 'E1', message: 'why' } },
  });
  t.regex((third['err'] as { stack: string }).stack, /log\.test\.ts/);
  t.like(fourth, { msg: 'x', err: { message: 'row - detail: [redacted]', constraint: 'c' } });
});

test('circular values, many errors and an unknown level are logged safely', (t) => {
  const { log, lines } = newLog('loud');
  const circle: Line = { name: 'circle' };
  circle['self'] = circle;
  log.info(circle, 'round');
  log.error(
    new AggregateError(
      Array.from({ length: 100 }, (_, n) => new Error(`number ${n}`)),
      'many',
    ),
  );
  log.debug('not shown');
  const [round, many = {}, ...others] = lines.map((line) => JSON.parse(line) as Line);
  t.deepEqual(others, []);
  t.like(round, { name: 'circle', msg: 'round', level: 30 });
  const { errors } = many['err'] as { errors: { message: string }[] };
  t.is(errors[0]?.message, 'number 0');
  t.true(errors.length < 20);
});

for (const [how, code] of [
  ['process.exit(0)', 0],
  ['void 0', 0],
  ["log.fatal('last'); process.kill(process.pid, 'SIGKILL')", null],
] as const) {
  test(`no line is lost when the process ends with: ${how}`, async (t) => {
    const script = `
      import { createLog } from ${JSON.stringify(import.meta.resolve('../../src/telemetry/log.ts'))};
      const log = createLog('info');
      for (let line = 1; line <= 2_000; line += 1) log.info({ line }, 'x'.repeat(50));
      ${how};`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    const lines = (await text(child.stdout)).trimEnd().split('\n');
    t.deepEqual(
      lines.flatMap((line) => (JSON.parse(line) as { line?: number }).line ?? []),
      Array.from({ length: 2_000 }, (_, index) => index + 1),
    );
    t.is((await exit)[0], code);
  });
}

for (const [what, ending] of [
  ['its last line', 'await flushed(log)'],
  ['a line before a fatal one', "await once(log[symbols.streamSym], 'error'); log.fatal('last')"],
] as const) {
  test(`a process ends although the disk of its log is full for ${what}`, async (t) => {
    if (!existsSync('/dev/full')) return t.pass('skipped: this system has no device that is always full');
    const script = `
      import { once } from 'node:events';
      import { symbols } from 'pino';
      import { createLog, flushed } from ${JSON.stringify(import.meta.resolve('../../src/telemetry/log.ts'))};
      const log = createLog('info');
      log.info('first');
      // Keeps the process running.
      setTimeout(() => {}, 60_000);
      ${ending};
      process.exit(3);`;
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', full, 'inherit'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    closeSync(full);
    t.deepEqual(await once(child, 'exit'), [3, null]);
  });
}

test('a service logs every request once, without secrets', async (t) => {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const dataDir = mkdtempSync(join(tmpdir(), 'runward-logs-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = { DATABASE_URL: url, WEBHOOK_ALLOW_LOCAL: 'true', LOG_LEVEL: 'trace', WEBHOOK_RETRY_SCHEDULE: '0s,1s' };
  const service = await startServiceFor(t, dataDir, env);
  const { baseUrl } = service;
  const credentials = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as Record<string, string>;
  const { apiKey = '', ownerEmail = '', ownerPassword = '', signingSecret = '', organizationId = '' } = credentials;
  const secrets = new Map(Object.entries({ apiKey, ownerPassword, signingSecret }));
  const canary = (name: string, value = `canary-${name}`) => (secrets.set(name, value), value);

  // Valid and invalid keys, in the right and in wrong places.
  const api = apiOf(baseUrl, apiKey);
  const listed = await api.call('runs', 'list', { query: { limit: 7 } });
  t.is((await apiOf(baseUrl, canary('unknownKey', newApiKey().plainKey)).raw('GET', '/runs')).status, 401);
  t.is((await apiOf(baseUrl, canary('malformedKey', 'sk_live_malformed')).raw('GET', '/runs')).status, 401);
  t.is((await apiWith(baseUrl, { authorization: `Basic ${canary('basic')}` }).raw('GET', '/runs')).status, 401);
  t.is((await api.raw('GET', `/runs?apiKey=${apiKey}`)).status, 400);
  t.is((await api.raw('GET', `/runs/${apiKey}`)).status, 400);
  t.is((await api.raw('POST', '/templates', { body: { [apiKey]: apiKey } })).status, 400);

  // A browser session: successful and failed sign-in, change of password, creation of a key, rotation of the signing
  // secret.
  const logIn = (password: string) =>
    fetch(`${baseUrl}${contract.auth.login.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ownerEmail, password }),
    });
  t.is((await logIn(canary('wrongPassword'))).status, 401);
  const cookies = (await logIn(ownerPassword)).headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const [csrf = ''] = ['flow_csrf', 'flow_session'].map((name) =>
    canary(name, cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''),
  );
  const browser = apiWith(baseUrl, { cookie: cookies.join('; '), 'x-service-csrf': csrf });
  const newPassword = canary('newPassword');
  await must(browser.call('auth', 'changePassword', { body: { currentPassword: ownerPassword, newPassword } }));
  const { plainKey } = await must(browser.call('apiKeys', 'create', { body: { name: 'K', scopes: ['runs:read'] } }));
  canary('plainKey', plainKey);
  canary('rotatedSecret', (await must(browser.call('organization', 'rotateSigningSecret'))).secret);

  // Webhooks that succeed and fail.
  await using receiver = await startReceiver((count) => (count === 1 ? 200 : 500));
  const target = `${receiver.url}?token=${canary('urlToken')}`;
  const webhook = { name: 'W', url: target, enabledEvents: ['run.started' as const, 'run.completed' as const] };
  await must(api.call('webhooks', 'create', { body: webhook }));
  const { templateId } = await publishProcess(api);
  const run = await launchRun(api, templateId);
  await must(api.call('runs', 'complete', { params: { id: run.id } }).then((answer) => ({ ...answer, status: 200 })));
  await launchRun(api, templateId);
  for (const { headers } of await receiver.wait(2)) canary('signature', String(headers['x-flow-signature']));

  // Internal errors: PostgreSQL reports a row that violates a constraint with all its values.
  const database = await openDatabase(url, { poolSize: 1 });
  t.teardown(() => database.close());
  await database.em.fork().execute("alter table users add constraint no_ada check (name <> 'Ada')");
  const failed = await browser.call('users', 'create', {
    body: { email: 'ada@example.com', name: 'Ada', password: canary('memberPassword') },
  });
  t.is(failed.status, 500);

  // A client that disconnects during its request.
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  const head = `POST /runs HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${apiKey}\r\nexpect: 100-continue\r\n`;
  socket.write(`${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"templateId":`);
  // The service has started to process it.
  await once(socket, 'data');
  socket.destroy();
  await until(() => service.log().includes('request aborted'), 'the line of the aborted request');

  const lines = service
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const linesOf = (requestId: unknown) => lines.filter((line) => line['requestId'] === requestId);
  const [line, ...more] = linesOf(listed.headers.get('x-request-id'));
  t.deepEqual(more, []);
  t.like(line, { level: 30, msg: 'request', method: 'GET', path: '/runs', operation: 'runs.list', status: 200 });
  t.like(line, { organizationId });
  t.regex(String(line?.['apiKeyId']), /^[0-9a-f-]{36}$/);
  t.is(typeof line?.['ms'], 'number');

  const [error, ...again] = linesOf(failed.headers.get('x-request-id'));
  t.deepEqual(again, []);
  t.like(error, {
    level: 50,
    msg: 'request failed',
    operation: 'users.create',
    status: 500,
    err: { constraint: 'no_ada' },
  });
  t.like(
    lines.find((each) => each['msg'] === 'request aborted'),
    { operation: 'runs.launch', status: null, aborted: true },
  );
  t.true(lines.some((each) => each['operation'] === 'health.ready' && each['level'] === 20));
  t.false(lines.some((each) => String(each['path']).includes('?')));

  for (const [name, secret] of secrets) t.false(secret === '' || service.log().includes(secret), name);
  t.deepEqual(
    service
      .log()
      .split('\n')
      .filter((each) => each.includes('argon2id')),
    [],
    'the hash of a password',
  );
  service.child.kill('SIGTERM');
  t.is(await service.exited, 0);
});
