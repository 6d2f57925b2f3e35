import { createServer } from 'node:http';
import { closeServer, listenOnLoopback } from '@runward/testing/http-server';
import test, { type ExecutionContext } from 'ava';
import { Command } from 'commander';
import { addOperation } from '../src/operations/add-operation.ts';
import { runCommand } from './support/command.ts';

/** A server whose every response is an empty page, with these headers. */
async function serve(t: ExecutionContext, headers: Record<string, string>) {
  const page = { data: [], total: 0, hasMore: false, nextCursor: null };
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(page));
  });
  const port = await listenOnLoopback(server);
  t.teardown(() => closeServer(server));
  return { RUNWARD_API_KEY: 'sk_live_x', RUNWARD_BASE_URL: `http://127.0.0.1:${port}` };
}

const headers = {
  deprecation: '@1795737600',
  sunset: 'Sat, 27 Nov 2027 00:00:00 GMT',
  link: '<https://x.example/docs>; rel="help", <https://x.example/guide>; rel="deprecation"; type="text/markdown"',
};

test('a command that uses something deprecated says so in one line on stderr, but not to programs', async (t) => {
  const env = await serve(t, headers);
  const people = await runCommand(['folders', 'list'], { env });
  t.is(people.code, 0, people.stderr);
  t.is(
    people.stderr
      .split('\n')
      .filter((line) => line.includes('deprecated'))
      .join('\n'),
    'The server has deprecated folders.list since 2026-11-27, and may remove it from 2027-11-27 on. Update runward, or see https://x.example/guide.',
  );
  const program = await runCommand(['folders', 'list', '-o', 'json'], { env });
  t.deepEqual([program.code, program.stderr], [0, '']);
});

test('a deprecation without further headers, and one that is no date, are read as far as possible', async (t) => {
  const plain = await runCommand(['folders', 'list'], { env: await serve(t, { deprecation: '@1795737600' }) });
  t.regex(plain.stderr, /deprecated folders\.list since 2026-11-27\. Update runward\.\n/);
  const other = await runCommand(['folders', 'list'], { env: await serve(t, { deprecation: 'true' }) });
  t.false(other.stderr.includes('deprecated'));
});

test('the help of a deprecated command begins its notes with what to use instead', (t) => {
  let text = '';
  const program = new Command('runward').configureOutput({ writeOut: (part) => (text += part) }).exitOverride();
  addOperation({
    words: 'folders list',
    operation: 'folders.list',
    summary: 'List folders',
    description: 'All of them.',
    deprecated: 'Deprecated since 2026-11-27; use GET /new instead.',
    parameters: [],
    returns: 'nothing',
  })(program, () => async () => {});
  t.throws(() => program.parse(['list', '--help'], { from: 'user' }));
  t.true(
    text.includes('Deprecated since 2026-11-27; use GET /new instead.\nAll of them.\nIn the SDK: folders.list.'),
    text,
  );
});
