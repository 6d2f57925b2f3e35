import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scopes } from '@runward/contract';
import { apiOf, signIn } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newDataFolder } from '@runward/testing/data-folder';
import { createDatabase } from '@runward/testing/database';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { startProgram } from '@runward/testing/program';
import { startService } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../../src/database/database.ts';
import { tryLock } from '../../src/database/embedded/lock.ts';
import { newId } from '../../src/ids.ts';
import { ApiKey } from '../../src/organization/entities/api-key.ts';
import { Organization } from '../../src/organization/entities/organization.ts';
import { User } from '../../src/organization/entities/user.ts';
import { adminIn, type CommandEnd } from '../support/admin.ts';
import { tokenOf } from '../support/password-links.ts';
import { newTemplate } from '../support/templates.ts';

const app = useApp(test);
const admin = () => adminIn({ DATABASE_URL: app.databaseUrl });

/** Asserts that a command failed with a short message. */
function rejected(t: ExecutionContext, { code, stdout, stderr }: CommandEnd, exitCode: 1 | 2, message: RegExp): void {
  t.is(code, exitCode, stderr);
  t.is(stdout, '');
  t.regex(stderr, message);
  t.notRegex(stderr, /\n\s+at /);
}

const occurrences = (text: string, part: string) => text.split(part).length - 1;

test('a created key works immediately, only with its scopes and templates, until it is revoked', async (t) => {
  const org = await newOrganization(app);
  const inside = await newTemplate(org.api);
  await newTemplate(org.api);
  const { run, json } = admin();
  const args = ['key', 'create', '--organization', org.organizationId, '--scopes', 'templates:read, runs:read'];
  const made = await run([...args, '--templates', inside, '--name', 'Reporting', '--json']);
  const { id = '', plainKey = '', ...rest } = JSON.parse(made.stdout) as Record<string, string>;
  t.like(rest, { name: 'Reporting', resourceMode: 'SELECTED_TEMPLATES', createdByUserId: org.ownerUserId });
  t.is(occurrences(made.stdout + made.stderr, plainKey), 1);

  const api = apiOf(app.baseUrl, plainKey);
  t.deepEqual(
    (await must(api.call('templates', 'list'))).data.map((template) => template.id),
    [inside],
  );
  t.is((await api.call('templates', 'create', { body: { name: 'x' } })).status, 403);

  t.like(await json(['key', 'revoke', id]), { id, name: 'Reporting' });
  t.is((await api.call('templates', 'list')).status, 401);
  t.is((await run(['key', 'revoke', id])).code, 0, 'revoking again changes nothing');
});

test('a key acts as the member it was created for, until it expires', async (t) => {
  const org = await newOrganization(app);
  const member = await org.member('Bo');
  const expires = new Date(Date.now() + 86_400_000).toISOString();
  const options = ['--scopes', 'all', '--user', member.email.toUpperCase(), '--expires', expires];
  const made = await admin().json(['key', 'create', '--organization', org.organizationId, ...options]);
  t.like(made, { createdByUserId: member.id, expiresAt: expires, resourceMode: 'ALL' });
  t.deepEqual(made['scopes'] as unknown, [...scopes]);
  await app.database.em.fork().nativeUpdate(ApiKey, { id: made['id'] ?? '' }, { expiresAt: new Date() });
  t.is((await apiOf(app.baseUrl, made['plainKey'] ?? '').raw('GET', '/runs')).status, 401);
});

test('a new password works immediately and ends the old password and all sessions', async (t) => {
  const org = await newOrganization(app);
  const before = await org.session();
  const { run, json } = admin();
  const given = await run(['user', 'password', '--email', org.ownerEmail, '--password-stdin'], 'from the pipe\n');
  t.is(given.code, 0, given.stderr);
  t.regex(given.stdout, /sessions ended: 1/);
  t.false(given.stdout.includes('from the pipe'));
  t.is((await before.call('auth', 'session')).status, 401);
  await t.throwsAsync(signIn(app.baseUrl, org.ownerEmail, org.ownerPassword), { message: /401/ });
  t.is((await (await signIn(app.baseUrl, org.ownerEmail, 'from the pipe')).call('auth', 'session')).status, 200);

  const { password = '' } = await json(['user', 'password', '--email', org.ownerEmail]);
  t.is((await (await signIn(app.baseUrl, org.ownerEmail, password)).call('auth', 'session')).status, 200);
});

test('an invited member and one with a reset link set their password with the URL that is printed', async (t) => {
  const org = await newOrganization(app);
  const { run, json } = adminIn({ DATABASE_URL: app.databaseUrl, BASE_URL: `${app.baseUrl}/` });
  const email = `${newId()}@acme.example`;
  const args = ['user', 'invite', '--organization', org.organizationId, '--email', email, '--name', 'Bo'];
  const invited = await json(args);
  t.like(invited, { email, purpose: 'INVITATION' });
  const redeem = (url = '') =>
    apiOf(app.baseUrl, null).call('auth', 'redeemPasswordLink', {
      body: { token: tokenOf(url), password: 'bo chose this' },
    });
  t.is((await redeem(invited['url'])).status, 200);
  await signIn(app.baseUrl, email, 'bo chose this');

  const [first, second] = [
    await json(['user', 'reset-link', '--email', email]),
    await run(['user', 'reset-link', '--email', email]),
  ];
  t.is(first['purpose'], 'RESET');
  t.is((await redeem(first['url'])).status, 400, 'replaced');
  const [url = ''] = second.stdout.match(new RegExp(`^${app.baseUrl}/sign-in/password/\\S+$`, 'm')) ?? [];
  t.is(occurrences(second.stdout + second.stderr, url), 1);
  t.is((await redeem(url)).status, 200);

  const withoutUrl = await admin().run([...args, '--email', `${newId()}@acme.example`]);
  rejected(t, withoutUrl, 2, /BASE_URL: not set, so the URL of the link is unknown; set it as the service has it/);
  rejected(t, await run(args), 1, /already exists/);
  await must((await org.session()).call('users', 'delete', { params: { id: invited['id'] ?? '' } }));
  rejected(t, await run(['user', 'reset-link', '--email', email]), 1, /is deactivated and cannot sign in/);
});

test('a created organization, its owner and an added member work over HTTP immediately', async (t) => {
  const { json, run, npmRun } = admin();
  const name = `Acme ${newId()}`;
  const ownerEmail = `${newId()}@acme.example`;
  const made = await json([
    'organization',
    'create',
    '--name',
    name,
    '--owner-email',
    ownerEmail,
    '--timezone',
    'Asia/Tokyo',
  ]);
  t.like(made, { name, plan: 'ENTERPRISE', timezone: 'Asia/Tokyo', ownerEmail });
  t.is((await apiOf(app.baseUrl, made['apiKey'] ?? '').raw('GET', '/runs')).status, 200);
  t.is(
    (await (await signIn(app.baseUrl, ownerEmail, made['ownerPassword'] ?? '')).call('auth', 'session')).status,
    200,
  );

  const email = `${newId()}@acme.example`;
  const added = await run([
    'user',
    'create',
    '--organization',
    name,
    '--email',
    email,
    '--name',
    'Bo',
    '--role',
    'ADMIN',
  ]);
  const password = /not shown again: (\S+)/.exec(added.stdout)?.[1] ?? '';
  const session = await must((await signIn(app.baseUrl, email, password)).call('auth', 'session'));
  t.like(session, { user: { name: 'Bo', role: 'ADMIN' }, organization: { id: made['organizationId'], name } });

  const listed = await npmRun(['organization', 'list', '--json']);
  const found = (JSON.parse(listed.stdout) as { name: string }[]).filter((each) => each.name === name);
  t.like(found, [{ id: made['organizationId'], plan: 'ENTERPRISE', timezone: 'Asia/Tokyo' }]);
});

test('a plan applies from the next request', async (t) => {
  const org = await newOrganization(app);
  const { json, run } = admin();
  const set = (plan: string) => json(['plan', 'set', plan, '--organization', org.organizationId]);
  t.like(await set('FREE'), { id: org.organizationId, plan: 'FREE', before: 'ENTERPRISE' });
  t.is((await org.api.raw('GET', '/runs')).status, 402);
  const key = await run(['key', 'create', '--organization', org.organizationId, '--scopes', 'runs:read']);
  rejected(t, key, 1, /FREE plan does not include API keys/);
  await set('BUSINESS');
  t.is((await org.api.raw('GET', '/runs')).status, 200);
});

test('a usage error exits with 2, a rejection with 1, and neither changes anything', async (t) => {
  // A database of its own, so that no other test adds rows.
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const { run, json } = adminIn({ DATABASE_URL: url });
  const { organizationId: id = '', ownerEmail = '' } = await json([
    'organization',
    'create',
    '--name',
    'Only',
    '--owner-email',
    'only@example.com',
  ]);
  const database = await openDatabase(url, { poolSize: 1 });
  t.teardown(() => database.close());
  const rows = () =>
    Promise.all([Organization, User, ApiKey].map((each) => database.em.fork().find(each as typeof User, {})));
  const before = JSON.stringify(await rows());

  const stranger = newId();
  const key = ['key', 'create', '--organization', id, '--scopes'];
  const wrong: [RegExp, ...string[]][] = [
    [/required option '--owner-email/, 'organization', 'create', '--name', 'x'],
    [/--name: must not be empty/, 'organization', 'create', '--name', ' ', '--owner-email', 'a@b.example'],
    [
      /--timezone: must be an IANA/,
      'organization',
      'create',
      '--name',
      'x',
      '--owner-email',
      'a@b.example',
      '--timezone',
      'X',
    ],
    [/--scopes: must be one of runs:read/, ...key, 'runs:read,runs:fly'],
    [/--expires: must be in the future/, ...key, 'all', '--expires', '2020-01-01T00:00:00Z'],
    [/--email: must be an email address/, 'user', 'password', '--email', 'nobody'],
  ];
  for (const [message, ...args] of wrong) rejected(t, await run(args), 2, message);
  rejected(t, await run(['user', 'password', '--email', ownerEmail, '--password-stdin'], 'short'), 2, /at least 8/);

  const denied: [RegExp, ...string[]][] = [
    [/only@example\.com already/, 'organization', 'create', '--name', 'x', '--owner-email', 'ONLY@example.com'],
    [/no organization "Nobody"/, 'plan', 'set', 'PRO', '--organization', 'Nobody'],
    [/--folders\[0\]: not a folder of this organization/, ...key, 'all', '--folders', stranger],
    [/no member with/, ...key, 'all', '--user', 'x@example.com'],
    [/no API key with this id/, 'key', 'revoke', `sk_live_${'x'.repeat(49)}`],
  ];
  for (const [message, ...args] of denied) rejected(t, await run(args), 1, message);
  t.is(JSON.stringify(await rows()), before);
});

test('the process exits with the code of the command', async (t) => {
  const { spawned } = admin();
  const listed = await spawned.run(['organization', 'list']);
  t.is(listed.code, 0, listed.stderr);
  rejected(t, await spawned.run(['plan', 'set', 'PRO', '--organization', 'Nobody']), 1, /no organization "Nobody"/);
  const given = ['user', 'password', '--email', 'owner@example.com', '--password-stdin'];
  rejected(t, await spawned.run(given, 'short'), 2, /at least 8 characters/);
});

test('a reader that closes the pipe early, such as head, is no error', async (t) => {
  const program = startProgram('packages/server/src/admin/main.ts', ['organization', 'list'], {
    env: { DATABASE_URL: app.databaseUrl },
  });
  program.process.stdout?.destroy();
  t.deepEqual([await program.ended, program.stderr()], [0, '']);
});

test('an empty database is migrated first; an unreachable one is an error that names DATABASE_URL', async (t) => {
  const { url, drop } = await createDatabase({ empty: true });
  t.teardown(drop);
  t.deepEqual(await adminIn({ DATABASE_URL: url }).json(['organization', 'list']), [] as never);
  const away = adminIn({ DATABASE_URL: 'postgres://ada:canary@127.0.0.1:1/nothing' });
  const end = await away.run(['organization', 'list']);
  rejected(t, end, 1, /Cannot open the database: .*ECONNREFUSED.*Check DATABASE_URL/);
  t.false(end.stderr.includes('canary'));
});

test('the URL of the database is read from the file that DATABASE_URL_FILE names', async (t) => {
  const folder = await newDataFolder();
  t.teardown(() => folder[Symbol.asyncDispose]());
  const DATABASE_URL_FILE = join(folder.path, 'database-url');
  rejected(t, await adminIn({ DATABASE_URL_FILE }).run(['organization', 'list']), 2, /DATABASE_URL_FILE: .* does not/);
  await writeFile(DATABASE_URL_FILE, `${app.databaseUrl}\n`);
  const { organizationId } = await newOrganization(app);
  const { code, stdout } = await adminIn({ DATABASE_URL_FILE }).run(['organization', 'list']);
  t.is(code, 0);
  t.true(stdout.includes(organizationId));
});

test('the embedded database is started for a command, or shared with a running service', async (t) => {
  const folder = await newDataFolder({ initialized: true });
  t.teardown(() => folder[Symbol.asyncDispose]());
  const dataDir = folder.path;
  const { json, run } = adminIn({ DATA_DIR: dataDir }).spawned;
  const alone = await json(['organization', 'create', '--name', 'Alone', '--owner-email', 'alone@example.com']);

  const service = await startService(dataDir);
  t.teardown(() => service.child.kill('SIGKILL'));
  const isTaken = () => {
    using lock = tryLock(join(dataDir, 'postgres.lock'));
    return lock === null;
  };
  await until(isTaken, 'the service to own the folder');
  // Not awaited until ready, because the command waits.
  const made = await json(['key', 'create', '--organization', 'Alone', '--scopes', 'runs:read']);
  await service.ready();
  for (const key of [alone['apiKey'], made['plainKey']]) {
    t.is((await apiOf(service.baseUrl, key ?? '').raw('GET', '/runs')).status, 200);
  }
  await json(['key', 'revoke', made['id'] ?? '']);
  t.is((await apiOf(service.baseUrl, made['plainKey'] ?? '').raw('GET', '/runs')).status, 401);
  service.child.kill('SIGTERM');
  t.is(await service.exited, 0, service.log());

  const lines = await Promise.all([run(['organization', 'list']), run(['organization', 'list'])]);
  for (const { stdout, stderr } of lines) t.is(stdout, `${alone['organizationId']}  ENTERPRISE  UTC  Alone\n`, stderr);
});
