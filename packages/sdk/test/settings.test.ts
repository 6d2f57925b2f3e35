import test from 'ava';
import { createClient, isAuthenticationError, isRunwardError, RunwardError, type ClientOptions } from '../src/index.ts';
import { apiKey, errorOf, id } from './support/client.ts';
import { json, startServer } from '@runward/testing/http-server';

// The environment belongs to the whole file, so its tests run one after the other.
test.beforeEach(() => {
  delete process.env['RUNWARD_API_KEY'];
  delete process.env['RUNWARD_BASE_URL'];
});

test.serial('key and address come from the environment, options win', async (t) => {
  const server = await startServer(t, (res) => json(res, 200, {}));
  process.env['RUNWARD_API_KEY'] = 'sk_live_fromEnvironment';
  process.env['RUNWARD_BASE_URL'] = `${server.baseUrl}/env`;
  await createClient().runs.get(id);
  await createClient({ apiKey, baseUrl: `${server.baseUrl}/option` }).runs.get(id);
  t.deepEqual(
    server.received.map(({ url, headers }) => [url, headers.authorization]),
    [
      [`/env/runs/${id}`, 'Bearer sk_live_fromEnvironment'],
      [`/option/runs/${id}`, `Bearer ${apiKey}`],
    ],
  );
});

test.serial('a missing key is an error that says what to do, before anything is sent', async (t) => {
  const { baseUrl, received } = await startServer(t, (res) => json(res, 200, {}));
  process.env['RUNWARD_API_KEY'] = '';
  const runward = createClient({ baseUrl });
  const error = await errorOf(runward.runs.get(id));
  t.true(isRunwardError(error) && !isAuthenticationError(error));
  t.regex((error as Error).message, /Pass `apiKey` to createClient, or set .* RUNWARD_API_KEY/);
  t.true(isRunwardError(await errorOf(runward.runs.list())));
  t.is(received.length, 0);
});

test.serial('what is open to everyone needs no key; request sends one if there is one', async (t) => {
  const { baseUrl, received } = await startServer(t, (res) => json(res, 200, { status: 'ok' }));
  const runward = createClient({ baseUrl });
  t.deepEqual(await runward.health.ready(), { status: 'ok' });
  await runward.openapi.get();
  await runward.request('GET', '/health/live');
  await createClient({ baseUrl, apiKey }).request('GET', '/runs');
  t.deepEqual(
    received.map(({ url, headers }) => [url, headers.authorization]),
    [
      ['/health/ready', undefined],
      ['/openapi.json', undefined],
      ['/health/live', undefined],
      ['/runs', `Bearer ${apiKey}`],
    ],
  );
});

test.serial('without an address the client asks this machine, where the server listens by default', async (t) => {
  const asked: string[] = [];
  const fetch: ClientOptions['fetch'] = async (input) => {
    asked.push(new Request(input).url);
    return Response.json({});
  };
  process.env['RUNWARD_BASE_URL'] = '';
  await createClient({ apiKey, fetch }).runs.get(id);
  t.deepEqual(asked, [`http://127.0.0.1:3000/runs/${id}`]);
});

const wrong: [string, ClientOptions, RegExp][] = [
  ['an address without protocol', { baseUrl: 'runward.example.com' }, /must be an address like/],
  ['another protocol', { baseUrl: 'ftp://example.com' }, /must be an address like/],
  ['a password in the address', { baseUrl: 'https://user:secret@example.com' }, /must have no user name/],
  ['a query in the address', { baseUrl: 'https://example.com?a=1' }, /must have no .*query/],
  ['no time', { timeoutMs: 0 }, /`timeoutMs` must be/],
  ['half a retry', { maxRetries: 0.5 }, /`maxRetries` must be/],
  ['a wait below 0', { maxRetryAfterSeconds: -1 }, /`maxRetryAfterSeconds` must be/],
  ['a name no header can hold', { appInfo: { name: 'größe' } }, /`appInfo` must hold ASCII/],
];

for (const [name, options, message] of wrong) {
  test.serial(`${name} is refused at once`, (t) => {
    const error = t.throws(() => createClient({ apiKey, ...options }), { instanceOf: RunwardError, message });
    t.false(error?.message.includes('secret'));
  });
}
