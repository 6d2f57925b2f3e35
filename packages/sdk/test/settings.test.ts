import { json, startServer } from '@runward/testing/http-server';
import test from 'ava';
import { createClient, isAuthenticationError, isRunwardError, RunwardError, type ClientOptions } from '../src/index.ts';
import { apiKey, errorOf, id } from './support/client.ts';

// The tests change the environment of the process, so they run serially.
test.beforeEach(() => {
  delete process.env['RUNWARD_API_KEY'];
  delete process.env['RUNWARD_BASE_URL'];
});

test.serial('key and address come from the environment unless options set them', async (t) => {
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

test.serial('a call without a key rejects before anything is sent', async (t) => {
  const { baseUrl, received } = await startServer(t, (res) => json(res, 200, {}));
  process.env['RUNWARD_API_KEY'] = '';
  const runward = createClient({ baseUrl });
  const error = await errorOf(runward.runs.get(id));
  t.true(isRunwardError(error) && !isAuthenticationError(error));
  t.regex((error as Error).message, /Pass `apiKey` to createClient, or set .* RUNWARD_API_KEY/);
  t.true(isRunwardError(await errorOf(runward.runs.list())));
  t.is(received.length, 0);
});

test.serial('public endpoints work without a key; request sends the key if there is one', async (t) => {
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

test.serial('baseUrl defaults to the address where the server listens by default', async (t) => {
  const requested: string[] = [];
  const fetch: ClientOptions['fetch'] = async (input) => {
    requested.push(new Request(input).url);
    return Response.json({});
  };
  process.env['RUNWARD_BASE_URL'] = '';
  await createClient({ apiKey, fetch }).runs.get(id);
  t.deepEqual(requested, [`http://127.0.0.1:3000/runs/${id}`]);
});

const wrong: [string, ClientOptions, RegExp][] = [
  ['an address without a protocol', { baseUrl: 'runward.example.com' }, /must be an http or https URL/],
  ['another protocol', { baseUrl: 'ftp://example.com' }, /must be an http or https URL/],
  ['a password in the address', { baseUrl: 'https://user:secret@example.com' }, /must have no user name/],
  ['a query in the address', { baseUrl: 'https://example.com?a=1' }, /must have no .*query/],
  ['a timeout of 0', { timeoutMs: 0 }, /`timeoutMs` must be/],
  ['a fraction of a retry', { maxRetries: 0.5 }, /`maxRetries` must be/],
  ['a negative wait', { maxRetryAfterSeconds: -1 }, /`maxRetryAfterSeconds` must be/],
  [
    'an option that does not exist',
    { timeout: 5 } as ClientOptions,
    /`timeout` is not an option .* mean `timeoutMs`\? The/,
  ],
  ['a misspelled option', { baseURL: 'https://x' } as ClientOptions, /`baseURL` is not an option .* mean `baseUrl`\?/],
  [
    'a key with another prefix',
    { apiKey: 'Bearer sk_live_secret' },
    /must be `sk_live_` followed by letters and digits/,
  ],
  ['a masked key', { apiKey: 'sk_live_…abcd' }, /must be `sk_live_` followed/],
  ['a key with a line break', { apiKey: 'sk_live_secret\nsk_live_secret' }, /must be `sk_live_` followed/],
  [
    'an app name that is invalid in a header',
    { appInfo: { name: 'größe' } },
    /`appInfo` must contain only printable ASCII/,
  ],
];

for (const [name, options, message] of wrong) {
  test.serial(`createClient rejects ${name}`, (t) => {
    const error = t.throws(() => createClient({ apiKey, ...options }), { instanceOf: RunwardError, message });
    t.false(error?.message.includes('secret'));
  });
}
