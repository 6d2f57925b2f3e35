import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import test from 'ava';
import { verifyNewest } from '../../src/audit-log/verify-lines.ts';
import { readOnly } from '../../src/database/inspect/read-only.ts';
import { adminIn } from '../support/admin.ts';
import { linesOf } from '../support/audit.ts';

const app = useApp(test);
const admin = () => adminIn({ DATABASE_URL: app.databaseUrl });

async function organizationWithLines() {
  const org = await newOrganization(app);
  const session = await org.session();
  for (const name of ['A', 'B']) await must(session.call('groups', 'create', { body: { name } }));
  const { organizationId } = org;
  const change = (text: string) => app.provision.query(text.replace('$org', '$1'), [organizationId]);
  return { ...org, session, change, verify: () => admin().run(['audit', organizationId, '--verify']) };
}

test('the command verifies an unchanged audit log and prints the hash of its newest line', async (t) => {
  const { verify, session } = await organizationWithLines();
  const { code, stdout } = await verify();
  t.is(code, 0);
  t.regex(stdout, /^6 lines are unchanged, 0 older ones were purged\./);
  t.true(stdout.includes((await linesOf(session))[0]?.hash ?? 'none'));
});

test('only as many of the newest lines are verified as asked for', async (t) => {
  const { organizationId, change } = await organizationWithLines();
  await change(`update audit_lines set after = '{}' where organization_id = $org and sequence = 4`);
  const verify = (most: number) => readOnly(app.database, (em) => verifyNewest(em, organizationId, most));
  t.like(await verify(2), { verified: 2, problem: null });
  t.is((await verify(3)).problem?.sequence, 4);
  await change(`update audit_heads set hash = repeat('1', 64) where organization_id = $org`);
  t.is((await verify(2)).problem?.sequence, 6);
});

for (const [what, text, message] of [
  [
    'changed',
    `update audit_lines set target_label = 'Z' where organization_id = $org and sequence = 5`,
    /Line 5 was changed/,
  ],
  [
    'changed before',
    `update audit_lines set after = '{}' where organization_id = $org and sequence = 1`,
    /Line 1 was changed/,
  ],
  [
    'removed',
    'delete from audit_lines where organization_id = $org and sequence = 4',
    /Line 4 is missing: line 5 follows/,
  ],
  [
    'removed from the end',
    'delete from audit_lines where organization_id = $org and sequence = 6',
    /Line 6 is missing/,
  ],
  [
    'removed from the start',
    'delete from audit_lines where organization_id = $org and sequence < 3',
    /Line 1 is missing/,
  ],
  [
    'replaced together with its hash',
    `update audit_lines set previous_hash = repeat('1', 64) where organization_id = $org and sequence = 5`,
    /Line 5 does not follow the line before it/,
  ],
  [
    'appended',
    `insert into audit_lines select (jsonb_populate_record(line, '{"sequence": 7}')).* from audit_lines as line
       where organization_id = $org and sequence = 6`,
    /Line 7 (?:was|does)/,
  ],
] as const) {
  test(`the command exits with 1 and names the first line if one was ${what}`, async (t) => {
    const { verify, change } = await organizationWithLines();
    await change(text);
    const { code, stderr } = await verify();
    t.is(code, 1);
    t.regex(stderr, message);
  });
}

test('the command lists the newest lines', async (t) => {
  const { organizationId, session } = await organizationWithLines();
  const { code, stdout } = await admin().run(['audit', organizationId, '--limit', '2']);
  t.is(code, 0);
  t.deepEqual(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/).slice(2, 4)),
    [
      ['group.created', 'GROUP B'],
      ['group.created', 'GROUP A'],
    ],
  );
  t.deepEqual((await admin().json(['audit', organizationId])) as unknown, await linesOf(session));
  t.is((await admin().run(['audit', organizationId, '--limit', '0'])).code, 2);
  t.is((await admin().run(['audit', 'no such organization'])).code, 1);
});

test('changes with the administration command leave lines', async (t) => {
  const { json } = admin();
  const name = `Audited ${crypto.randomUUID()}`;
  const owner = `${crypto.randomUUID()}@example.com`;
  const made = await json(['organization', 'create', '--name', name, '--owner-email', owner]);
  const { organizationId = '', ownerEmail = '', apiKeyId = '' } = made;
  const of = ['--organization', organizationId];
  await json(['user', 'create', ...of, '--email', `${crypto.randomUUID()}@example.com`, '--name', 'Bo']);
  await json(['user', 'password', '--email', ownerEmail]);
  await json(['key', 'create', ...of, '--scopes', 'runs:read']);
  await json(['key', 'revoke', apiKeyId]);
  await json(['secret', 'rotate', ...of]);
  await json(['plan', 'set', 'PRO', ...of]);
  const lines = (await json(['audit', organizationId])) as unknown as Awaited<ReturnType<typeof linesOf>>;
  t.deepEqual(
    lines.map(({ action }) => action),
    [
      'organization.plan_changed',
      'signing_secret.rotated',
      'api_key.revoked',
      'api_key.created',
      'user.password_set',
      'user.created',
      'api_key.created',
      'user.created',
      'organization.created',
    ],
  );
  for (const line of lines) {
    t.deepEqual(line.actor, { type: 'ADMINISTRATION', userId: null, apiKeyId: null });
    t.is(line.address, null);
  }
});
