import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

test('a body that is nested more than 100 levels deep is rejected, whatever it nests; text with brackets is none', async (t) => {
  const { api } = await newOrganization(app);
  const post = (body: string) => api.raw('POST', '/templates', { body });
  const nested = (open: string, close: string, levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
  for (const deep of [nested('[', ']', 101), nested('{"a":', '}', 101), nested('[{"a":', '}]', 51)]) {
    const { status, error } = await post(deep);
    t.is(status, 400);
    t.deepEqual(error.message, ['body: must be nested at most 100 levels deep']);
  }
  t.notDeepEqual((await post(nested('[', ']', 100))).error.message, ['body: must be nested at most 100 levels deep']);
  t.is((await post(JSON.stringify({ name: `\\"${'[{'.repeat(80)}` }))).status, 201);
});

test('a body with very many problems is rejected with the first ones, and the remark that there are more', async (t) => {
  const { api } = await newOrganization(app);
  const { id } = await must(api.call('templates', 'create', { body: { name: 'Hire' } }));
  const tasks = Array.from({ length: 60 }, () => ({ title: 'a', fields: Array.from({ length: 5000 }, () => 0) }));
  const { status, error } = await api.raw('PUT', `/templates/${id}/draft`, { body: { tasks } });
  t.is(status, 400);
  t.is(error.message.at(-1), 'body: has more problems than these; correct them, then send it again');
  t.true(error.message.length <= 201);
});

test('a body that is not valid JSON is rejected', async (t) => {
  const { api, apiKey } = await newOrganization(app);
  const post = (body: string, headers: Record<string, string> = {}) => api.raw('POST', '/templates', { body, headers });
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const bad: [string, Record<string, string>?][] = [
    ['{'],
    ['"text"'],
    ['null'],
    ['[]'],
    [deep],
    ['{"name":"x","__proto__":{"a":1}}'],
    ['{"name":"x","constructor":{"prototype":{"a":1}}}'],
    ['{"name":"x\\u0000"}'],
    ['{"name":"\\ud800"}'],
    ['{"name":1e999}'],
    ['{"name":["x"]}'],
    ['{"name":""}'],
    [`{"name":"${'x'.repeat(256)}"}`],
    ['name=x', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['{"name":"x"}', { 'content-type': 'text/plain' }],
    ['{"name":"x"}', { 'content-encoding': 'gzip' }],
    ['{"name":"x"}', { 'content-encoding': 'surprise' }],
  ];
  for (const [body, headers] of bad) {
    const answer = await post(body, headers);
    t.is(answer.status, 400, `${body.slice(0, 40)} ${JSON.stringify(headers ?? {})}: ${JSON.stringify(answer.body)}`);
    t.true(Array.isArray(answer.error.message));
  }
  const messageOf = async (body: string) => (await post(body)).error.message;
  t.deepEqual(await messageOf('null'), ['body: must be a JSON object']);
  t.regex(
    String(await messageOf('{"name":"x","__proto__":{"a":1}}')),
    /^body: must not contain the properties __proto__/,
  );
  t.is((await post(`{"name":"${'x'.repeat(1_100_000)}"}`)).status, 413);
  const zipped = await fetch(`${app.baseUrl}/templates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync('{"name":"Zipped"}'),
  });
  t.is(zipped.status, 201);
  const bomb = await fetch(`${app.baseUrl}/templates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync(Buffer.alloc(50_000_000, 32)),
  });
  t.is(bomb.status, 413);
  t.is((await must(api.call('templates', 'list'))).total, 1);
});

test('bytes that are not UTF-8 are rejected in body, path and query', async (t) => {
  const { apiKey, api } = await newOrganization(app);
  const post = async (bytes: Buffer, headers: Record<string, string> = {}) => {
    const own = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers };
    const response = await fetch(`${app.baseUrl}/templates`, { method: 'POST', headers: own, body: bytes });
    return [response.status, ((await response.json()) as { message: unknown }).message];
  };
  const named = (...bytes: number[]) =>
    Buffer.concat([Buffer.from('{"name":"x'), Buffer.from(bytes), Buffer.from('"}')]);
  for (const bytes of [
    [0xff],
    [0xc3],
    [0xed, 0xa0, 0x80],
    [0xc0, 0xaf],
    [0xf0, 0x9f, 0x92],
    [0xf4, 0x90, 0x80, 0x80],
  ]) {
    const rejected = [400, ['body: must be valid UTF-8']];
    t.deepEqual(await post(named(...bytes)), rejected);
    t.deepEqual(await post(gzipSync(named(...bytes)), { 'content-encoding': 'gzip' }), rejected);
  }
  t.deepEqual(await post(Buffer.from('{}'), { 'content-encoding': 'gzip' }), [
    400,
    ['body: cannot be read; check its length and its Content-Encoding'],
  ]);
  t.is((await post(named(0xc3, 0xa9)))[0], 201);

  const get = async (path: string) => (await api.raw('GET', path)).error.message;
  t.deepEqual(await get('/runs?status=%FF'), ['status: must be percent-encoded UTF-8']);
  t.deepEqual(await get('/runs?limit=1&%ED%A0%80=x'), ['query: must be percent-encoded UTF-8']);
  t.deepEqual(await get('/runs/%C3'), ['path: must be percent-encoded UTF-8']);
});

test('names reject control characters and line breaks, and descriptions keep line breaks and tabs', async (t) => {
  const { api } = await newOrganization(app);
  const create = async (body: object) => {
    const { status, error } = await api.raw('POST', '/templates', { body });
    return [status, error.message];
  };
  const controls = ['\u0001', '\u0007', '\u001b', '\u007f', '\u0085', '\u009f'];
  for (const character of [...controls, '\n', '\r', '\t', '\u2028', '\u2029']) {
    const message = ['name: must not contain line breaks or control characters'];
    t.deepEqual(await create({ name: `a${character}b` }), [400, message], JSON.stringify(character));
  }
  for (const character of controls) {
    const message = ['description: must not contain control characters except tabs and line breaks'];
    t.deepEqual(await create({ name: 'x', description: `a${character}b` }), [400, message]);
  }
  const description = 'one\ntwo\r\n\tthree\u2028four';
  t.like((await api.raw('POST', '/templates', { body: { name: ' Ünï\u200D👩‍🔧 \n', description } })).body, {
    name: 'Ünï\u200D👩‍🔧',
    description,
  });
});

test('a missing property is required, and a property of another type gets the message of the contract', async (t) => {
  const { api } = await newOrganization(app);
  const path = '/runs/tasks/01900000-0000-7000-8000-000000000001/due-date';
  const dueAt = 'dueAt: must be an ISO 8601 timestamp with a time zone, like 2026-03-01T09:00:00Z';
  const cases: [string, string, unknown, string[]][] = [
    ['PATCH', path, {}, ['dueAt: is required']],
    ['PATCH', path, { dueAt: 5 }, [dueAt]],
    ['PATCH', path, { dueAt: 'soon' }, [dueAt]],
    ['PATCH', path, undefined, ['body: is required']],
    ['POST', '/webhooks', {}, ['name: is required', 'url: is required', 'enabledEvents: is required']],
    ['POST', '/templates', { name: 5 }, ['name: must be a string']],
    [
      'POST',
      '/execution/field-values',
      {},
      ['executionEntryId', 'runTaskFieldId', 'value'].map((name) => `${name}: is required`),
    ],
  ];
  for (const [method, at, body, message] of cases) {
    const answer = await api.raw(method, at, body === undefined ? {} : { body });
    t.deepEqual([answer.status, answer.error.message], [400, message], JSON.stringify(body));
  }
});

test('no path, query or method causes a 500', async (t) => {
  const { api } = await newOrganization(app);
  const paths = [
    '/%',
    '/runs/%E0%A4%A',
    '/runs/%00',
    '/runs?cursor=%00',
    '/runs?cursor=WzFd',
    '/runs?cursor=W251bGxd',
    '/runs?templateId=%F0%28%8C%28',
    '/runs?scheduledDate=0000-00-00',
    '/runs?scheduledDate=9999-12-31',
    '/runs?stalledForDays=99999999999999999999',
    '/runs?stalledForDays=-1',
    `/runs?${Array.from({ length: 60 }, (_, index) => `a${index}=1`).join('&')}`,
    '/runs?__proto__=1',
    '/__proto__',
    '/constructor',
    '/docs/../../package.json',
    '/docs/%2e%2e/package.json',
    '/users?cursor=WyJhIiwiYiJd',
    '/groups?cursor=WyJhIiwiYiJd',
    '/folders?cursor=WyJhIl0',
  ];
  for (const path of paths) {
    const answer = await api.raw('GET', path);
    t.true(answer.status >= 400 && answer.status < 500, `${path}: ${answer.status}`);
    t.is(answer.error.statusCode, answer.status);
    t.is(answer.headers.get('x-ratelimit-limit'), '100000', path);
  }
  t.is((await api.raw('DELETE', '/runs')).status, 405);
  t.is((await api.raw('GET', '/nowhere')).status, 404);
});

/** Sends text on a connection of its own. Resolves to all that the service sends until it closes the connection. */
const say = (text: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(app.baseUrl);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });

test('a request that is not valid HTTP gets the error body', async (t) => {
  t.regex(await say('hello\r\n\r\n'), /^HTTP\/1\.1 400 [\s\S]*x-request-id: [\s\S]*"statusCode":400/);
  t.regex(
    await say(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`),
    /^HTTP\/1\.1 431 [\s\S]*"statusCode":431/,
  );
});

test('the target of a request may be a whole URL; one without a valid host gets the error body', async (t) => {
  const { apiKey } = await newOrganization(app);
  const get = (target: string, header = '') =>
    say(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${apiKey}\r\n${header}\r\n`);
  for (const target of ['http://[::1', 'http://', 'http:', 'foo:', 'foo://x/runs', 'runs']) {
    t.regex(await get(target), /^HTTP\/1\.1 400 [\s\S]*"code":"malformed_request"/, target);
  }
  t.regex(await get('http://other.example/runs?limit=1'), /^HTTP\/1\.1 200 [\s\S]*"data":\[\]/);
  t.regex(await get('http://other.example/nowhere?secret=1'), /^HTTP\/1\.1 404 [\s\S]*"path":"\/nowhere"/);
  t.regex(await get('/runs', 'expect: surprise\r\n'), /^HTTP\/1\.1 200 /, 'an unknown expectation is ignored');
});

test('a connection whose headers do not arrive in time is closed without a response', async (t) => {
  const [unused, begun] = await Promise.all([say(''), say('GET / HTTP/1.1\r\nhost: x\r\n')]);
  t.is(unused, '');
  t.is(begun, '');
});
