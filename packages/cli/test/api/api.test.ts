import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, startServer } from '@runward/testing/http-server';
import test from 'ava';
import { newFolder, runCommand } from '../support/command.ts';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

test('api sends fields in the query of a GET and in the body of a POST, as strings or as JSON', async (t) => {
  const { data, runward } = await newWorkplace();
  const made = await data<{ id: string }>(['api', 'post', 'templates', '-f', 'name=A=B', '-F', 'description=null']);
  t.like(made, { name: 'A=B', description: null, status: 'DRAFT' });
  const task = await data(['api', 'POST', `/templates/${made.id}/tasks`, '-f', 'title=T', '-F', 'required=false']);
  t.like(task, { title: 'T', required: false });
  t.like(await data(['api', 'GET', '/templates', '-f', 'status=PUBLISHED', '-f', 'limit=1']), { total: 0 });
  t.is(
    (await runward(['api', 'GET', `/templates/${made.id}`, '--fields', 'name', '-o', 'jsonl'])).stdout,
    '{"name":"A=B"}\n',
  );

  const removed = await runward(['api', 'DELETE', `/templates/${made.id}`]);
  t.deepEqual([removed.code, removed.stdout], [0, '']);
  const gone = await runward(['api', 'GET', `/templates/${made.id}`]);
  t.is(gone.code, 3);
});

test('api reads a body from a file or stdin, and --paginate prints the records of all pages', async (t) => {
  const { data, runward } = await newWorkplace();
  const file = join(await newFolder(t), 'body.json');
  await writeFile(file, '{"name":"One"}');
  await data(['api', 'POST', '/templates', '--input', file]);
  await data(['api', 'POST', '/templates', '--input', '-'], { input: '{"name":"Two"}' });
  const all = await data<{ name: string }[]>(['api', 'GET', '/templates', '-f', 'limit=1', '--paginate']);
  t.deepEqual(
    all.map(({ name }) => name),
    ['Two', 'One'],
  );
  const lines = await runward(['api', 'GET', '/templates?limit=1', '--paginate', '-o', 'jsonl', '--fields', 'name']);
  t.is(lines.stdout, '{"name":"Two"}\n{"name":"One"}\n');
});

test('api rejects an invalid command line before it sends a request', async (t) => {
  const env = { RUNWARD_API_KEY: 'sk_live_secret', RUNWARD_BASE_URL: 'http://127.0.0.1:1' };
  const cases: [RegExp, string[]][] = [
    [/Unknown method FETCH/, ['FETCH', '/runs']],
    [/Use a path without a server/, ['GET', 'https://example.com/runs']],
    [/has no body/, ['GET', '/runs', '--input', 'x.json']],
    [/-F limit is not valid JSON/, ['POST', '/runs', '-F', 'limit=x']],
    [/takes key=value, not "title"/, ['POST', '/runs', '-f', 'title']],
    [/names "a" twice/, ['POST', '/runs', '-f', 'a=1', '-f', 'a=2']],
  ];
  for (const [message, args] of cases) {
    const { code, stderr } = await runCommand(['api', ...args], { env });
    t.is(code, 2, stderr);
    t.regex(stderr, message);
  }
});

test('a 429 response ends the command with 5 and says when to try again', async (t) => {
  const { baseUrl } = await startServer(t, (res) => fail(res, 429, { retryAfter: 3600 }, { 'retry-after': '3600' }));
  const env = { RUNWARD_API_KEY: 'sk_live_secret', RUNWARD_BASE_URL: baseUrl };
  const { code, stderr } = await runCommand(['api', 'GET', '/runs', '-o', 'json'], { env });
  t.is(code, 5);
  t.like(JSON.parse(stderr), { exitCode: 5, statusCode: 429, retryAfterSeconds: 3600 });
});

test('a command that waits says why and for how long; a request without a response ends after --timeout', async (t) => {
  let count = 0;
  const { baseUrl } = await startServer(t, (res) => {
    count += 1;
    if (count === 1) fail(res, 429, { retryAfter: 1 }, { 'retry-after': '1' });
    // The other requests get no response.
  });
  const env = { RUNWARD_API_KEY: 'sk_live_secret', RUNWARD_BASE_URL: baseUrl };
  const { code, stderr } = await runCommand(['api', 'GET', '/runs', '--timeout', '1'], { env });
  t.is(code, 1);
  t.is(count, 3);
  const lines = stderr.trimEnd().split('\n');
  t.regex(lines[0] ?? '', /Trying again in 1 s; Ctrl-C stops\.$/);
  t.regex(lines.at(-1) ?? '', /^Error: .*1000 ms\. If that is expected, set a longer --timeout\.$/);
  t.false(stderr.includes('timeoutMs'), stderr);

  const { code: rejected, stderr: reason } = await runCommand(['runs', 'list', '--timeout', '0'], { env });
  t.is(rejected, 2);
  t.regex(reason, /more than 0 seconds/);
});
