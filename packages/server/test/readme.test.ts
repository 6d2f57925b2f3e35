import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { freePort } from '@runward/testing/ports';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import { sign } from '@runward/webhooks';
import test from 'ava';

const app = useSharedApp(test);
const root = dirname(dirname(dirname(import.meta.dirname)));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The code block that the README marks with a name, as in "```ts sdk". */
function block(name: string): string {
  const code = new RegExp(`^\`\`\`\\w+ ${name}\\n([^]*?)^\`\`\`$`, 'm').exec(readme)?.[1];
  if (code === undefined) throw new Error(`README.md has no block marked ${name}.`);
  return code;
}

function start(command: string, args: readonly string[], org: TestOrganization, env: Record<string, string> = {}) {
  return spawn(command, args, {
    cwd: root,
    env: {
      ...process.env,
      RUNWARD_BASE_URL: app.baseUrl,
      RUNWARD_API_KEY: org.apiKey,
      RUNWARD_SIGNING_SECRET: org.signingSecret,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const module = (code: string) => ['--conditions=@runward/source', '--input-type=module-typescript', '-e', code];

async function outputOf(child: ChildProcess): Promise<{ code: unknown; text: string }> {
  let text = '';
  child.stdout?.on('data', (chunk) => (text += String(chunk)));
  child.stderr?.on('data', (chunk) => (text += String(chunk)));
  const [code] = await once(child, 'close');
  return { code, text };
}

test('the API example', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  await launchRun(org.api, templateId, { title: 'Newest' });
  const { code, text } = await outputOf(start(process.execPath, module(block('api')), org));
  t.is(code, 0, text);
  t.regex(text, /^1 runs are under way; the newest is "Newest"$/m);
});

test('the SDK example', async (t) => {
  const org = await newOrganization(app);
  await publishProcess(org.api, [{ title: 'One' }, { title: 'Two' }]);
  const { code, text } = await outputOf(start(process.execPath, module(block('sdk')), org));
  t.is(code, 0, text);
  t.is(text, 'done: One\ndone: Two\n');
  const { data } = await must(org.api.call('runs', 'list'));
  t.like(data[0], { title: 'From the README', status: 'COMPLETED' });
});

test('the command line example', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: 'One' }], { name: 'Listed' });
  const run = await launchRun(org.api, templateId, { title: 'Done' });
  const { runTaskId: taskId } = run.byTitle('One');
  await must(org.api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));
  const { code, text } = await outputOf(start('sh', ['-ec', block('cli')], org));
  t.is(code, 0, text);
  t.regex(text, /Listed/);
  t.true(text.includes(run.id));
});

test('the receiver example', async (t) => {
  const org = await newOrganization(app);
  const port = await freePort();

  const child = start(process.execPath, module(block('receiver')), org, { PORT: `${port}` });
  t.teardown(() => child.kill());
  const line = once(child.stdout, 'data');
  const body = JSON.stringify({
    event: 'run.completed',
    deliveryId: 'd-1',
    timestamp: new Date().toISOString(),
    orgId: org.organizationId,
    data: { runId: 'r-1', templateId: 't-1' },
  });
  const headers = await sign(body, { secret: org.signingSecret });
  const url = `http://127.0.0.1:${port}/`;
  const send = () => fetch(url, { method: 'POST', body, headers: { ...headers } }).catch(() => null);
  t.is((await until(send, 'the receiver')).status, 200);
  t.regex(String((await line)[0]), /run r-1 is complete/);
});
