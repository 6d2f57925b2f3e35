import { execFileSync, spawn } from 'node:child_process';
import { access, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchRun, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { bashScript } from '../src/completion/bash-script.ts';
import {
  command,
  environment,
  finished,
  newFolder,
  runCommand,
  spawnCommand,
  type CommandOptions,
} from './support/command.ts';
import { useServer } from './support/service.ts';

const { newWorkplace } = useServer(test);
const hasBash = canRun('bash', ['--version']);

function canRun(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args);
    return true;
  } catch {
    return false;
  }
}

/** The words that `runward complete` suggests, and its directive. */
async function complete(
  words: readonly string[],
  options?: CommandOptions,
): Promise<[values: string[], directive: string | undefined]> {
  const { code, stdout, stderr } = await runCommand(['complete', '--', ...words], options);
  if (code !== 0) throw new Error(stderr);
  const lines = stdout.trimEnd().split('\n');
  return [lines.slice(0, -1).map((line) => line.split('\t')[0] ?? ''), lines.at(-1)];
}

test('completion prints a script for each shell, and rejects other shells', async (t) => {
  t.is((await runCommand(['completion', 'bash'])).stdout, bashScript);
  // The completion library writes to the stdout of its process.
  const scripts = ['zsh', 'fish', 'powershell'].map((shell) => finished(spawnCommand(['completion', shell])));
  for (const { code, stdout } of await Promise.all(scripts)) {
    t.is(code, 0);
    t.regex(stdout, /runward complete '?--/);
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
});

test('bash completes words with quotes, spaces and equals signs, evaluates none, and can source the script again', async (t) => {
  if (!hasBash) {
    t.log('There is no bash: skipped.');
    return t.pass();
  }
  const { org, env } = await newWorkplace();
  await publishProcess(org.api, [{ title: 'Only task' }], { name: 'Employee onboarding' });
  const folder = await newFolder(t);
  const lines = [
    'runward profiles l',
    'runward runs list --template Emp',
    'runward runs list --template "Emp',
    'runward runs list --template=emp',
    `runward runs list --search $(touch ${folder}/evaluated) --status ru`,
    `runward runs list --search \`touch ${folder}/evaluated\` --status=ru`,
  ];
  const program = command.map((word) => `'${word}'`).join(' ');
  const script = `runward() { ${program} "$@"; }
source <(runward completion bash); source <(runward completion bash)
complete -p runward
while IFS= read -r COMP_LINE; do
  COMP_POINT=\${#COMP_LINE}; COMPREPLY=(); __runward_complete; printf '%s\\n' "\${COMPREPLY[*]}"
done`;
  const child = spawn('bash', ['--norc', '-c', script], {
    env: environment({ ...env, XDG_CACHE_HOME: folder }),
    stdio: 'pipe',
  });
  child.stdin.end(`${lines.join('\n')}\n`);
  const { stdout, stderr } = await finished(child);
  t.is(stderr, '');
  t.deepEqual(stdout.trimEnd().split('\n'), [
    'complete -o default -F __runward_complete runward',
    'list',
    String.raw`Employee\ onboarding`,
    'Employee onboarding',
    String.raw`Employee\ onboarding`,
    'RUNNING',
    'RUNNING',
  ]);
  await t.throwsAsync(access(join(folder, 'evaluated')));
});
