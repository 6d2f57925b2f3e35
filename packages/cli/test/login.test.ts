import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scopes } from '@runward/contract';
import test from 'ava';
import { newFolder, runCommand } from './support/command.ts';
import { useServer } from './support/service.ts';

const { app, newWorkplace } = useServer(test);

interface Stored {
  readonly current: string | null;
  readonly profiles: Record<string, { baseUrl: string; apiKey: string }>;
}

test('login stores a valid API key in a file only its owner can read; commands then need no environment', async (t) => {
  const { org } = await newWorkplace();
  const folder = join(await newFolder(t), 'settings', 'runward');
  const path = join(folder, 'profiles.json');
  const runward = (args: string[], input = '') => runCommand(args, { env: { RUNWARD_CONFIG: path }, input });

  const login = await runward(['login', '--with-token', '--base-url', app.baseUrl], `${org.apiKey}\n`);
  t.is(login.code, 0, login.stderr);
  t.deepEqual(JSON.parse(login.stdout), {
    profile: 'default',
    baseUrl: app.baseUrl,
    key: `sk_live_…${org.apiKey.slice(-4)}`,
  });
  t.is((await stat(path)).mode & 0o777, 0o600);
  t.is((await stat(folder)).mode & 0o777, 0o700);
  t.deepEqual(await readdir(folder), ['profiles.json']);

  const who = await runward(['whoami']);
  t.like(JSON.parse(who.stdout), {
    baseUrl: app.baseUrl,
    keyFrom: 'profile default',
    key: `sk_live_…${org.apiKey.slice(-4)}`,
    scopes: [...scopes],
    resourceMode: 'ALL',
    expiresAt: null,
    organization: { id: org.organizationId, name: 'Test', plan: 'ENTERPRISE' },
  });
  t.regex((await runward(['whoami', '-o', 'table'])).stdout, /^organization\.plan +ENTERPRISE$/m);

  const logout = await runward(['logout']);
  t.is(logout.code, 0);
  t.deepEqual(JSON.parse(await readFile(path, 'utf8')) as Stored, { current: null, profiles: {} });
  t.is((await runward(['runs', 'list'])).code, 4);
  for (const { stdout, stderr } of [login, who, logout]) t.false((stdout + stderr).includes(org.apiKey));
});

test('login accepts an API key without scopes; an invalid key, or one of a plan without API access, is not stored', async (t) => {
  const { org, newKey } = await newWorkplace();
  const poor = await newWorkplace({ plan: 'FREE' });
  const path = join(await newFolder(t), 'profiles.json');
  const login = (key: string, ...args: string[]) =>
    runCommand(['login', '--with-token', '--base-url', app.baseUrl, ...args], {
      env: { RUNWARD_CONFIG: path },
      input: key,
    });

  const wrong = await login(`${org.apiKey}x`, '-o', 'json');
  t.is(wrong.code, 4);
  t.like(JSON.parse(wrong.stderr), { error: 'Unauthorized', statusCode: 401, exitCode: 4 });
  const locked = await login(poor.org.apiKey, '-o', 'json');
  t.like(JSON.parse(locked.stderr), {
    error: 'Payment Required',
    statusCode: 402,
    capability: 'publicApi',
    exitCode: 4,
  });
  for (const malformed of ['Bearer sk_live_x', 'sk_live_x!', 'secret']) {
    const { code, stderr } = await login(malformed);
    t.is(code, 4);
    t.is(
      stderr,
      'Error: The API key must be sk_live_ followed by letters and digits. Copy the key again, and nothing else.\n',
    );
  }
  await t.throwsAsync(stat(path), { code: 'ENOENT' });

  t.is((await login(await newKey([]))).code, 0);
  const credentials = join(await newFolder(t), 'credentials.json');
  await writeFile(credentials, JSON.stringify({ baseUrl: app.baseUrl, apiKey: org.apiKey, signingSecret: 's' }));
  const taken = await runCommand(['login', '--credentials', credentials], { env: { RUNWARD_CONFIG: path } });
  t.is(taken.code, 0, taken.stderr);
  t.is((JSON.parse(await readFile(path, 'utf8')) as Stored).profiles['default']?.apiKey, org.apiKey);
});

test('login without a terminal exits with 2 and names --with-token; an unreachable server exits with 1', async (t) => {
  const env = { RUNWARD_CONFIG: join(await newFolder(t), 'profiles.json') };
  const silent = await runCommand(['login'], { env });
  t.is(silent.code, 2);
  t.regex(silent.stderr, /runward login --with-token/);
  const unreachable = await runCommand(['login', '--with-token', '--base-url', 'http://127.0.0.1:1'], {
    env,
    input: 'sk_live_x',
  });
  t.is(unreachable.code, 1);
  t.is((await runCommand(['login', '--with-token', '--base-url', 'runward'], { env, input: 'sk_live_x' })).code, 2);
});

test('profiles are listed, switched and removed; --profile takes precedence over the environment', async (t) => {
  const [one, two] = [await newWorkplace(), await newWorkplace()];
  const path = join(await newFolder(t), 'profiles.json');
  const stored: Stored = {
    current: 'one',
    profiles: {
      one: { baseUrl: app.baseUrl, apiKey: one.org.apiKey },
      two: { baseUrl: app.baseUrl, apiKey: two.org.apiKey },
    },
  };
  await writeFile(path, JSON.stringify(stored), { mode: 0o644 });
  const runward = (args: string[], env = {}) => runCommand(args, { env: { RUNWARD_CONFIG: path, ...env } });
  const keyOf = async (args: string[], env = {}) =>
    JSON.parse((await runward(['whoami', ...args], env)).stdout).key.slice(-4);

  t.is(await keyOf(['--profile', 'two'], { RUNWARD_API_KEY: one.org.apiKey }), two.org.apiKey.slice(-4));
  t.is(await keyOf([], { RUNWARD_API_KEY: two.org.apiKey }), two.org.apiKey.slice(-4));
  const exposed = await runward(['templates', 'list']);
  t.regex(exposed.stderr, /Other users can read the API keys .* chmod 600/);
  t.is((await runward(['profiles', 'use', 'two'])).code, 0);
  t.is((await stat(path)).mode & 0o777, 0o600);
  const list = await runward(['profiles', 'list', '-o', 'csv', '--fields', 'name,current']);
  t.is(list.stdout, 'name,current\none,false\ntwo,true\n');
  t.is((await runward(['profiles', 'remove', 'two'])).code, 0);
  t.is((await runward(['profiles', 'use', 'two'])).code, 2);
  t.is((await runward(['runs', 'list', '--profile', 'two'])).code, 2);
});

test('a stored API key is not sent to another server', async (t) => {
  const { org } = await newWorkplace();
  const path = join(await newFolder(t), 'profiles.json');
  const stored: Stored = {
    current: 'one',
    profiles: { one: { baseUrl: 'https://runward.example.com', apiKey: org.apiKey } },
  };
  await writeFile(path, JSON.stringify(stored), { mode: 0o600 });
  const elsewhere = await runCommand(['runs', 'list', '--base-url', app.baseUrl], { env: { RUNWARD_CONFIG: path } });
  t.is(elsewhere.code, 2);
  t.regex(elsewhere.stderr, /belongs to https:\/\/runward\.example\.com and is not sent to/);
  const env = { RUNWARD_CONFIG: path, RUNWARD_BASE_URL: app.baseUrl };
  t.is((await runCommand(['runs', 'list'], { env })).code, 2);
  t.is((await runCommand(['runs', 'list'], { env: { ...env, RUNWARD_API_KEY: org.apiKey } })).code, 0);
});

test('a corrupt profile file exits with 1, unless the environment names server and key', async (t) => {
  const { env } = await newWorkplace();
  const folder = await newFolder(t);
  const path = join(folder, 'profiles.json');
  await writeFile(path, '{"current":"one","profiles":{"one":{}}}');
  const corrupt = await runCommand(['runs', 'list'], { env: { RUNWARD_CONFIG: path } });
  t.is(corrupt.code, 1);
  t.regex(corrupt.stderr, /is corrupt\. Correct it, or delete it/);
  t.is((await runCommand(['runs', 'list'], { env: { ...env, RUNWARD_CONFIG: path } })).code, 0);

  await mkdir(join(folder, 'taken'));
  const unwritable = { RUNWARD_CONFIG: join(folder, 'taken') };
  const args = ['login', '--with-token', '--base-url', app.baseUrl];
  t.is((await runCommand(args, { env: unwritable, input: 'sk_live_x' })).code, 1);
});
