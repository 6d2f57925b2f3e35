import { inspect } from 'node:util';
import { deadAddress, fail, json } from '@runward/testing/http-server';
import test from 'ava';
import { createClient, isRunwardError } from '../src/index.ts';
import { apiKey, errorOf, id, newClient } from './support/client.ts';

/** Everything that a program could print of a value. */
function printed(value: unknown): string {
  const deep = inspect(value, { depth: 20, showHidden: true, getters: true });
  return [deep, JSON.stringify(value), String(value), value instanceof Error ? value.stack : ''].join('\n');
}

test('inspect and JSON.stringify of a client, a call and a list do not show the key', async (t) => {
  const { runward } = await newClient(t, (res) => json(res, 200, { id }));
  const call = runward.runs.get(id);
  const response = await call.withResponse();
  for (const value of [runward, runward.runs, runward.runs.get, call, response, runward.runs.list()]) {
    t.false(printed(value).includes(apiKey));
  }
  t.true(printed(runward).includes('launch'), 'printing works');
});

const failures = {
  'the service': async (t) => newClient(t, (res) => fail(res, 403)),
  'a page that contains the request': async (t) =>
    newClient(t, (res, { headers }) => res.writeHead(502).end(`<pre>authorization: ${headers.authorization}</pre>`)),
  'JSON that contains the request': async (t) =>
    newClient(t, (res, { headers }) => fail(res, 500, { message: `bad header ${headers.authorization}`, headers })),
  'a broken connection': async (t) => newClient(t, (res) => void res.destroy()),
  'an unreachable server': async (t) => newClient(t, () => {}, { baseUrl: await deadAddress() }),
  'a timeout': async (t) => newClient(t, (_res, _request, _index, expireTimeout) => expireTimeout()),
  'a redirect': async (t) => newClient(t, (res) => res.writeHead(302, { location: 'http://127.0.0.1:9' }).end()),
  'truncated JSON': async (t) => newClient(t, (res) => void res.writeHead(200).end('{')),
} satisfies Record<string, (t: Parameters<typeof newClient>[0]) => ReturnType<typeof newClient>>;

for (const [name, arrange] of Object.entries(failures)) {
  test(`the error for ${name} does not show the key`, async (t) => {
    const { runward } = await arrange(t);
    const error = await errorOf(runward.runs.get(id));
    t.true(isRunwardError(error));
    t.false(printed(error).includes(apiKey));
  });
}

test('a key with characters that are invalid in a header is rejected and not printed', (t) => {
  for (const bad of [`${apiKey}\n${apiKey}`, `${apiKey} ${apiKey}`, `${apiKey}ü`, `${apiKey}\u0000`]) {
    const error = t.throws(() => createClient({ apiKey: bad }), { message: /API key .* must be/ });
    t.false(printed(error).includes(apiKey));
  }
});

test('white space around a key is removed', async (t) => {
  const { runward, received } = await newClient(t, (res) => json(res, 200, {}), { apiKey: ` ${apiKey}\n` });
  await runward.runs.get(id);
  t.is(received[0]?.headers.authorization, `Bearer ${apiKey}`);
});
