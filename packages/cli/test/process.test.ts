import { once } from 'node:events';
import { fail, startServer } from '@runward/testing/http-server';
import { launchRun, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { finished, spawnCommand, type CommandOptions } from './support/command.ts';
import { useServer } from './support/service.ts';

const { newWorkplace } = useServer(test);

const run = async (args: readonly string[], options?: CommandOptions) => finished(spawnCommand(args, options));

test('the process ends with the exit code of its command and writes data and errors to separate streams', async (t) => {
  const { env } = await newWorkplace();
  const limited = await startServer(t, (res) => fail(res, 429, { retryAfter: 3600 }, { 'retry-after': '3600' }));
  const unreachable = { RUNWARD_API_KEY: 'sk_live_secret', RUNWARD_BASE_URL: 'http://127.0.0.1:1' };
  const results = await Promise.all([
    run(['runs', 'list'], { env }),
    run(['runs', 'list'], { env: unreachable }),
    run(['runs', 'list', '--stauts', 'OVERDUE'], { env }),
    run(['runs', 'get', '0195f3a0-5a50-7c1e-9d0f-3f2b8c1d4e5f'], { env }),
    run(['runs', 'list']),
    run(['runs', 'list'], { env: { ...unreachable, RUNWARD_BASE_URL: limited.baseUrl } }),
    run(['templates', 'apply', '-', '--yes'], { env, input: '{' }),
  ]);
  t.deepEqual(
    results.map(({ code }) => code),
    [0, 1, 2, 3, 4, 5, 6],
  );
  const [list, ...errors] = results;
  t.deepEqual([list?.stdout, list?.stderr], ['[]\n', '']);
  for (const { stdout, stderr } of errors) {
    t.is(stdout, '');
    t.regex(stderr, /^Error: /);
  }
});

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`${signal} ends the process with ${code}`, async (t) => {
    const { org, env } = await newWorkplace();
    const { templateId } = await publishProcess(org.api);
    const { id } = await launchRun(org.api, templateId);
    const child = spawnCommand(['runs', 'watch', id], { env });
    const ending = finished(child);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    child.kill(signal);
    const ended = await ending;
    t.is(ended.code, code);
    t.false(ended.stderr.includes('Error'), ended.stderr);
  });
}

test('a command that ends its work when it is stopped has the exit code of the signal', async (t) => {
  const { env } = await newWorkplace();
  const child = spawnCommand(['webhooks', 'listen'], { env });
  const ending = finished(child);
  await new Promise((resolve) => child.stderr?.once('data', resolve));
  child.kill('SIGTERM');
  const ended = await ending;
  t.is(ended.code, 143, ended.stderr);
  t.regex(ended.stderr, /^Printed 0\.\nTo continue from here: --since /m);
});

test('a closed pipe is not an error', async (t) => {
  const { env, org } = await newWorkplace();
  const { templateId } = await publishProcess(org.api);
  for (let index = 0; index < 3; index += 1) await launchRun(org.api, templateId);
  const child = spawnCommand(['runs', 'list', '-o', 'jsonl'], { env });
  child.stdout?.destroy();
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = await once(child, 'close');
  t.is(code, 0);
  t.is(stderr, '');
});
