import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import test from 'ava';
import { adminIn } from '../support/admin.ts';

const app = useApp(test);
const admin = () => adminIn({ DATABASE_URL: app.databaseUrl });

test('the signing secret is shown and rotated like over HTTP', async (t) => {
  const org = await newOrganization(app);
  const of = ['--organization', org.organizationId];
  const { json, run } = admin();
  const none = { previousSecret: null, previousExpiresAt: null };
  const shown = { organizationId: org.organizationId, secret: org.signingSecret, ...none };
  t.deepEqual(await json(['secret', 'show', ...of]), shown as never);

  const { organizationId: _, ...rotated } = await json(['secret', 'rotate', ...of, '--overlap-hours', '48']);
  t.not(rotated['secret'], org.signingSecret);
  t.is(rotated['previousSecret'], org.signingSecret);
  t.deepEqual(await must((await org.session()).call('organization', 'signingSecret')), rotated as never);

  const again = await run(['secret', 'rotate', ...of]);
  t.is(again.code, 1);
  t.regex(again.stderr, /previous secret is valid until .*--overlap-hours 0/);
  for (const hours of ['', '169', 'x']) {
    const { code, stderr } = await run(['secret', 'rotate', ...of, '--overlap-hours', hours]);
    t.is(code, 2, hours);
    t.regex(stderr, /--overlap-hours: /);
  }
  t.like(await json(['secret', 'show', ...of]), rotated);
  t.like(await json(['secret', 'rotate', ...of, '--overlap-hours', '0']), none as never);
});

test('keys are listed by id without their secret, revoked ones only with --all', async (t) => {
  const org = await newOrganization(app);
  const of = ['--organization', org.organizationId];
  const { json, run } = admin();
  const listed = async (...more: string[]) =>
    (await json(['key', 'list', ...of, ...more])) as unknown as { id: string; name: string; status: string }[];
  const first = await listed();
  const made = await json(['key', 'create', ...of, '--scopes', 'runs:read', '--name', 'Reporting']);
  t.deepEqual(
    (await listed()).map(({ id }) => id),
    [made['id'] ?? '', ...first.map(({ id }) => id)],
  );
  const { stdout } = await run(['key', 'list', ...of]);
  t.regex(stdout, new RegExp(`^${made['id']}  .*ACTIVE .*Reporting$`, 'm'));
  t.false(stdout.includes(made['plainKey'] ?? '?'));

  await json(['key', 'revoke', made['id'] ?? '']);
  t.deepEqual(await listed(), first);
  t.like((await listed('--all'))[0], { id: made['id'], name: 'Reporting', status: 'REVOKED' });
});

test('members are listed with their role and status', async (t) => {
  const org = await newOrganization(app);
  const bo = await org.member('Bo');
  const { stdout, code } = await admin().run(['user', 'list', '--organization', org.organizationId]);
  t.is(code, 0);
  const [owner = '', member = '', ...others] = stdout.trimEnd().split('\n');
  t.regex(owner, new RegExp(`^${org.ownerUserId}  ${org.ownerEmail} +OWNER +ACTIVE `));
  t.true(member.startsWith(`${bo.id}  ${bo.email}`), member);
  t.deepEqual(others, []);
});
