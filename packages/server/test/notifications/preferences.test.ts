import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

const atOnce = {
  ASSIGNED: 'AT_ONCE',
  APPROVAL: 'AT_ONCE',
  DUE_SOON: 'AT_ONCE',
  OVERDUE: 'AT_ONCE',
  REJECTED: 'AT_ONCE',
  MENTIONED: 'AT_ONCE',
} as const;

test('a member is told everything at once until they choose otherwise, and choices of one do not affect others', async (t) => {
  const owner = await (await newOrganization(app)).session();
  const { session } = await addMember(app.baseUrl, owner);
  t.deepEqual(await must(session.call('me.notifications', 'get')), {
    kinds: atOnce,
    digestHour: 8,
    mailEnabled: false,
  });
  const update = (body: object) => must(session.call('me.notifications', 'update', { body }));
  await update({ kinds: { ASSIGNED: 'DIGEST' }, digestHour: 17 });
  const changed = { kinds: { ...atOnce, ASSIGNED: 'DIGEST', DUE_SOON: 'NEVER' }, digestHour: 17, mailEnabled: false };
  t.deepEqual(await update({ kinds: { DUE_SOON: 'NEVER' } }), changed);
  t.deepEqual(await must(session.call('me.notifications', 'get')), changed);
  t.deepEqual((await must(owner.call('me.notifications', 'get'))).kinds, atOnce);
});

test('an unknown kind, choice or hour is rejected, and an API key cannot choose', async (t) => {
  const org = await newOrganization(app);
  const session = await org.session();
  for (const [body, message] of [
    [{ kinds: { ASSIGNED: 'SOMETIMES' } }, 'kinds.ASSIGNED: must be one of AT_ONCE, DIGEST, NEVER'],
    [{ kinds: { LATE: 'NEVER' } }, 'kinds.LATE: unknown parameter; remove it'],
    [{ digestHour: 24 }, 'digestHour: must be a whole number from 0 to 23'],
    [{ digestHour: 8.5 }, 'digestHour: must be a whole number from 0 to 23'],
    [{ mailEnabled: true }, 'mailEnabled: unknown parameter; remove it'],
  ] as const) {
    await isRejected(t, session.raw('PATCH', '/me/notifications', { body }), 400, [message]);
  }
  t.is((await org.api.raw('GET', '/me/notifications')).status, 401);
});
