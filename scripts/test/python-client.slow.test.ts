import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, publishProcess } from '@runward/testing/process';
import { repository, startCommand } from '@runward/testing/program';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test, { type ExecutionContext } from 'ava';
import { blocksOf } from './guides/blocks.ts';

/** What the client needs, what builds it, and what checks it. */
const tools = ['httpx==0.28.1', 'hatchling==1.33.0', 'mypy==2.4.1', 'ruff==0.17.6'];
const folder = join(repository, 'clients', 'python');
const readme = 'clients/python/README.md';
const environment = join(repository, '.runward-test', 'python-client');
const programs = blocksOf(readme).filter(({ language }) => language === 'python');

const missing = await install();
const app = useSharedApp(test);
const withPython = missing === null ? test : test.skip;

/** Installs the client in an environment of its own. Returns why there can be none here, or null. */
async function install(): Promise<string | null> {
  const python = startCommand('python3', ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 11))']);
  if ((await python.ended.catch(() => 1)) !== 0) return 'Python 3.11 with venv is not installed';
  if (!existsSync(join(environment, 'bin', 'pip'))) {
    const made = startCommand('python3', ['-m', 'venv', environment]);
    if ((await made.ended) !== 0) return made.output();
  }
  const pip = (...args: string[]) =>
    startCommand(join(environment, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...args]);
  const dependencies = pip(...tools);
  if ((await dependencies.ended) !== 0) return dependencies.output();
  const client = pip('--force-reinstall', '--no-build-isolation', '--no-deps', folder);
  if ((await client.ended) !== 0) throw new Error(client.output());
  return null;
}

async function succeeds(
  t: ExecutionContext,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> },
) {
  const run = startCommand(join(environment, 'bin', 'python'), args, options);
  t.is(await run.ended, 0, run.output());
  return run;
}

async function emptyOrganization() {
  const { api, apiKey } = await newOrganization(app);
  return { api, env: { RUNWARD_BASE_URL: app.baseUrl, RUNWARD_API_KEY: apiKey, PYTHONDONTWRITEBYTECODE: '1' } };
}

if (missing !== null) test.skip(`the Python client: ${missing.trim().split('\n').at(-1)}`, () => {});

withPython('the tests of the Python client pass on the service', async (t) => {
  const { env } = await emptyOrganization();
  const run = await succeeds(t, ['-m', 'unittest', 'discover'], { cwd: join(folder, 'tests'), env });
  t.regex(run.output(), /Ran \d{2} tests[^]*\nOK\n$/);
});

withPython('the quick start of clients/python/README.md runs', async (t) => {
  const { api, env } = await emptyOrganization();
  const { templateId } = await publishProcess(api);
  await launchRun(api, templateId, { title: 'Earlier' });
  const [first, second] = programs.map(({ text }) => text);
  const started = await succeeds(t, ['-c', first ?? ''], { env });
  t.regex(started.stdout(), /^launched \S+\n\S+ From Python\n\S+ Earlier\n$/);
  const listed = await succeeds(t, ['-c', second ?? ''], { env });
  t.regex(listed.stdout(), /^2 runs are under way\n\S+ From Python\n\S+ Earlier\n$/);
});

withPython('the Python client, its tests and the programs of its README have the right types', async (t) => {
  const examples = join(environment, 'programs');
  mkdirSync(examples, { recursive: true });
  for (const [index, { text }] of programs.entries()) writeFileSync(join(examples, `example_${index}.py`), text);
  t.true(programs.length >= 4);
  const mypy = ['-m', 'mypy', '--strict', '--cache-dir', join(environment, 'mypy')];
  await succeeds(t, [...mypy, 'src', 'tests'], { cwd: folder, env: { MYPYPATH: join(folder, 'tests') } });
  // These find the types in the installed package.
  await succeeds(t, [...mypy, examples], { cwd: environment });
});

withPython('what is written by hand in the Python client is formatted and has no warnings of ruff', async (t) => {
  await succeeds(t, ['-m', 'ruff', 'check', '--no-cache', '.'], { cwd: folder });
  await succeeds(t, ['-m', 'ruff', 'format', '--no-cache', '--check', '.'], { cwd: folder });
});
