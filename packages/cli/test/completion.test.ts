import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchRun, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { newFolder, runCommand, type CommandOptions } from './support/command.ts';
import { useServer } from './support/service.ts';

const { newWorkplace } = useServer(test);
/** The words that `runward complete` suggests, and its directive. */
async function complete(
  words: readonly string[],
  options?: CommandOptions,
): Promise<[values: string[], directive: string | undefined]> {
  const { code, stdout, stderr } = await runCommand(['complete', '--', '--timeout', '30', ...words], options);
  if (code !== 0) throw new Error(stderr);
  const lines = stdout.trimEnd().split('\n');
  return [lines.slice(0, -1).map((line) => line.split('\t')[0] ?? ''), lines.at(-1)];
}

test('completion prints a script for each shell, and rejects other shells', async (t) => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const { stdout } = await runCommand(['completion', shell]);
    t.true(stdout.includes('runward complete '), shell);
    // Evaluating a line would run the commands in it.
    t.notRegex(stdout, /\beval\b|Invoke-Expression/i, shell);
  }
  t.is((await runCommand(['completion', 'tcsh'])).code, 2);
});

test('complete suggests commands, options and choices', async (t) => {
  t.deepEqual(await complete(['profiles', '']), [['list', 'use', 'remove', 'help'], ':4']);
  t.deepEqual(await complete(['portals', 'pages', 'd']), [['delete'], ':4']);
  t.deepEqual((await complete(['templates', 'versions', 'di']))[0], ['diff']);
  t.deepEqual((await complete(['runs', 'list', '--st']))[0], ['--status', '--stalled-for-days']);
  const statuses = ['RUNNING', 'OVERDUE', 'COMPLETED', 'CANCELLED'];
  t.deepEqual((await complete(['runs', 'list', '--status', '']))[0], statuses);
  t.deepEqual((await complete(['runs', 'list', '--status=o']))[0], ['--status=OVERDUE']);
  t.deepEqual((await complete(['-o', 'json', 'webhooks', 'update', 'CRM', '--enabled', 't']))[0], ['true']);
  t.deepEqual((await complete(['-o', '']))[0], ['table', 'json', 'jsonl', 'csv']);
  t.true((await complete(['--ou']))[0].includes('--output'));
  t.deepEqual(await complete(['templates', 'plan', '']), [[], ':0']);
  t.deepEqual(await complete(['unknown', '']), [[], ':4']);
});

test('complete suggests runs, templates, webhooks and profiles; without a connection it suggests none', async (t) => {
  const { org, env, data, baseUrl } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'Only task' }], { name: 'Employee onboarding' });
  const { publicId } = await launchRun(org.api, templateId);
  await data(['webhooks', 'create', '--name', 'CRM', '--url', baseUrl]);
  const bash = { env: { ...env, RUNWARD_COMPLETION: 'bash' } };
  t.deepEqual(await complete(['runs', 'get', ''], bash), [['@last', publicId], ':4']);
  t.deepEqual((await complete(['runs', 'list', '--template', 'emp'], bash))[0], ['Employee onboarding']);
  t.deepEqual((await complete(['webhooks', 'delete', ''], bash))[0], ['CRM']);
  t.deepEqual((await complete(['templates', 'versions', 'list', ''], { env }))[0], [templateId]);
  t.deepEqual(await complete(['runs', 'get', '']), [[], ':4']);
  t.deepEqual(await complete(['runs', 'get', ''], { env: { ...env, RUNWARD_BASE_URL: 'http://127.0.0.1:9' } }), [
    [],
    ':4',
  ]);
  const RUNWARD_CONFIG = join(await newFolder(t), 'profiles.json');
  const profile = { baseUrl: env['RUNWARD_BASE_URL'], apiKey: org.apiKey };
  await writeFile(RUNWARD_CONFIG, JSON.stringify({ current: 'demo', profiles: { demo: profile } }), { mode: 0o600 });
  t.deepEqual((await complete(['runs', 'list', '--profile', ''], { env: { RUNWARD_CONFIG } }))[0], ['demo']);
  t.deepEqual((await complete(['profiles', 'use', 'd'], { env: { RUNWARD_CONFIG } }))[0], ['demo']);
});

test('suggestions from the server are cached for a short time, in files that only the user can read', async (t) => {
  const { env, data, baseUrl } = await newWorkplace();
  const cacheDirectory = await newFolder(t);
  const names = async () => (await complete(['webhooks', 'get', ''], { env, cacheDirectory }))[0];
  const create = (name: string) => data(['webhooks', 'create', '--name', name, '--url', baseUrl]);
  await create('CRM');
  t.deepEqual(await names(), ['CRM']);
  const [file = ''] = await readdir(join(cacheDirectory, 'completion'));
  const cached = join(cacheDirectory, 'completion', file);
  t.is((await stat(cached)).mode & 0o777, 0o600);
  await create('Payroll');
  const written = async (time: number) => utimes(cached, new Date(time), new Date(time));
  await written(Date.now() + 3_600_000);
  t.deepEqual(await names(), ['CRM']);
  await written(Date.now() - 60_000);
  t.deepEqual(await names(), ['Payroll', 'CRM']);
  // Where nothing can be cached, the server is asked.
  t.deepEqual((await complete(['webhooks', 'get', ''], { env, cacheDirectory: cached }))[0], ['Payroll', 'CRM']);
});
