import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { newMailId } from '../support/world/mails.ts';

const app = useSharedApp(test);

test('administrators see the mails of their organization by status and member, with the replies of the mail server', async (t) => {
  const org = await newOrganization(app);
  const session = await org.session();
  const id = await newMailId(app, org);
  await newMailId(app, await newOrganization(app));
  const list = async (query: { status?: 'SENT' | 'BOUNCED'; userId?: string }) =>
    (await must(session.call('mails', 'list', { query }))).data.map((mail) => mail.id);
  t.deepEqual(await list({}), [id]);
  t.deepEqual(await list({ status: 'BOUNCED', userId: org.ownerUserId }), [id]);
  t.deepEqual(await list({ status: 'SENT' }), []);
  t.deepEqual(await list({ userId: (await org.member('Ada')).id }), []);
  const mail = await must(session.call('mails', 'get', { params: { id } }));
  t.like(mail, { to: org.ownerEmail, status: 'BOUNCED', heldBy: null, tries: 1, nextAttemptAt: null, sentAt: null });
  t.is(mail.attempts[0]?.error, '550 5.1.1 User unknown');
});

test('members who are not administrators and API keys see no mails', async (t) => {
  const org = await newOrganization(app);
  const { session } = await addMember(app.baseUrl, await org.session());
  t.is((await session.raw('GET', '/mails')).status, 403);
  t.is((await org.api.raw('GET', '/mails')).status, 401);
});

test('a mail that was not accepted is sent again, but not during an attempt, soon after it was sent, or to a deactivated member', async (t) => {
  const org = await newOrganization(app);
  const session = await org.session();
  const id = await newMailId(app, org);
  const resend = () => session.call('mails', 'resend', { params: { id } });
  const change = (assignments: string) => app.provision.query(`update mails set ${assignments} where id = $1`, [id]);
  const again = await must(resend());
  t.like(again, { status: 'PENDING', tries: 0 });
  t.truthy(again.nextAttemptAt);
  t.is(again.attempts.length, 1);
  await change(`lease_token = gen_random_uuid(), next_attempt_at = now() + interval '1 minute'`);
  await isRejected(t, resend(), 400, 'An attempt to send this mail is in progress; wait for its result.');
  await change(`status = 'SENT', lease_token = null, next_attempt_at = null, sent_at = now() - interval '59 minutes'`);
  await isRejected(t, resend(), 400, 'This mail was sent less than an hour ago; wait before you send it again.');
  await change(`sent_at = now() - interval '61 minutes'`);
  t.is((await must(resend())).status, 'PENDING');
  const ada = await org.member('Ada');
  await app.provision.query('update mails set user_id = $2 where id = $1', [id, ada.id]);
  await must(session.call('users', 'delete', { params: { id: ada.id } }));
  await isRejected(t, resend(), 400, 'The member is deactivated and gets no mail; reactivate them first.');
});
