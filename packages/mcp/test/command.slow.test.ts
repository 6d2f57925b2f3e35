import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '@runward/testing/program';
import test from 'ava';
import { findConnection } from '../src/stdio/connection.ts';

const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}, input = '') =>
  startProgram('packages/mcp/src/bin.ts', args, {
    env: { RUNWARD_CONFIG: '/nonexistent/profiles.json', ...env },
    input,
  });

const apiKey = 'sk_live_TestOnly0123456789abcdef';

test('runward-mcp prints its usage and version, and rejects what it does not know', async (t) => {
  const programs = [['--help'], ['--version'], ['--color'], ['--groups', 'planes'], []].map((args) => start(args));
  const [help, version, unknown, planes, keyless] = programs;
  const codes = await Promise.all(programs.map(({ ended }) => ended));
  t.deepEqual(codes, [0, 0, 2, 2, 2]);
  t.regex(help?.stdout() ?? '', /^Usage: runward-mcp[^]*--read-only[^]*RUNWARD_API_KEY/);
  t.regex(version?.stdout() ?? '', /^\d+\.\d+\.\d+\n$/);
  t.regex(unknown?.stderr() ?? '', /^runward-mcp: .*'--color'.*--help\n$/);
  t.regex(planes?.stderr() ?? '', /"planes" is not a group of tools/);
  t.is(keyless?.stderr(), 'runward-mcp: No API key. Set RUNWARD_API_KEY, or store a profile with: runward login\n');
  t.is([unknown, planes, keyless].map((each) => each?.stdout()).join(''), '');
});

test('input other than JSON-RPC is ignored, and the process ends when its input does', async (t) => {
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/fly', params: {} });
  const program = start([], { RUNWARD_API_KEY: apiKey }, `nonsense\n{"id":\n${ping}\n`);
  t.is(await program.ended, 0, program.output());
  t.regex(program.stderr(), /version \d+\.\d+\.\d+ for http:\/\/127\.0\.0\.1:3000/);
  t.false(program.output().includes(apiKey));
  for (const line of program.stdout().split('\n').filter(Boolean)) t.notThrows(() => void JSON.parse(line), line);
});

test('server and key come from the environment or a profile, and a stored key goes to its own server only', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'runward-mcp-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const profile = (name: string) => ({ baseUrl: `https://${name}.example.com`, apiKey: `sk_live_${name}` });
  const profiles = { current: 'home', profiles: { home: profile('home'), work: profile('work') } };
  await writeFile(join(folder, 'profiles.json'), JSON.stringify(profiles));
  const find = (env: Record<string, string>, named?: string) =>
    findConnection({ env, profile: named, configDirectory: folder });
  t.deepEqual(await find({}), profile('home'));
  t.deepEqual(await find({ RUNWARD_PROFILE: 'work' }), profile('work'));
  t.deepEqual(
    await find({ RUNWARD_API_KEY: apiKey, RUNWARD_BASE_URL: 'https://other.example.com' }, 'work'),
    profile('work'),
  );
  t.deepEqual(await find({ RUNWARD_API_KEY: apiKey }), { apiKey, baseUrl: undefined });
  await t.throwsAsync(find({ RUNWARD_BASE_URL: 'https://other.example.com' }), {
    message: /not sent to https:\/\/other/,
  });
  await t.throwsAsync(find({}, 'car'), { message: /no profile "car".*home, work/ });
  await writeFile(join(folder, 'profiles.json'), '{');
  await t.throwsAsync(find({}), { message: /is corrupt/ });
});
