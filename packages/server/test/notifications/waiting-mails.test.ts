import { useApp } from '@runward/testing/app';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { pino } from 'pino';
import type { OutgoingMail } from '../../src/adapters/smtp.ts';
import { createMailer } from '../../src/notifications/send/mailer.ts';
import { assign, launchFor, mailBaseUrl, newMailingOrganization } from '../support/mailing.ts';

const app = useApp(test);

const minutesAgo = (count: number) => new Date(Date.now() - count * 60_000);

/** Sends all mails that are due, and returns them by the address. */
async function sendDue(): Promise<Map<string, OutgoingMail>> {
  const sent = new Map<string, OutgoingMail>();
  const smtp = {
    send: async (mail: OutgoingMail) => {
      sent.set(mail.to, mail);
      return { outcome: 'ACCEPTED', response: '250 Accepted' } as const;
    },
    close: () => {},
  };
  const log = pino({ level: 'silent' });
  const mailer = createMailer({ database: app.database, smtp, baseUrl: mailBaseUrl, retrySchedule: [0], log });
  await mailer.tick();
  await mailer.stop();
  return sent;
}

test.serial('a mail that waited tells only what still holds when it is sent', async (t) => {
  const org = await newMailingOrganization(app);
  const owner = await org.session();
  const [ada, grace, alan, eve] = [
    await org.member('Ada'),
    await org.member('Grace'),
    await org.member('Alan'),
    await org.member('Eve'),
  ];
  await must(owner.call('users', 'update', { params: { id: grace.id }, body: { resourceMode: 'GRANTED' } }));
  const { templateId } = await publishProcess(owner, [{ title: 'Secret', assigneeId: grace.id }]);
  const { id: grantId } = await must(owner.call('grants', 'create', { body: { userId: grace.id, templateId } }));
  await launchRun(owner, templateId);
  await launchFor(owner, ada.id, 'Pay');
  await launchFor(owner, eve.id, 'Sign');
  const run = await launchFor(owner, alan.id, 'Prepare', 'Call');
  await org.notify(minutesAgo(10));
  t.is((await org.compose(minutesAgo(5))).length, 4);

  await org.prefer(ada.id, { kinds: { ASSIGNED: 'NEVER' } });
  await must(owner.call('grants', 'delete', { params: { id: grantId } }));
  await assign(owner, run.byTitle('Prepare').runTaskId, null);
  const sent = await sendDue();
  t.deepEqual([...sent.keys()].toSorted(), [alan.email, eve.email].toSorted());
  t.is(sent.get(eve.email)?.subject, 'Assigned to you: Sign');
  t.is(sent.get(alan.email)?.subject, 'Assigned to you: Call');
  t.false(sent.get(alan.email)?.html.includes('Prepare'));

  const mails = new Map((await org.compose(minutesAgo(5))).map((mail) => [mail.userId, mail]));
  t.like(mails.get(alan.id), { status: 'SENT', subject: 'Assigned to you: Call' });
  for (const { id } of [ada, grace]) {
    t.is(mails.get(id)?.status, 'BOUNCED');
    t.is(mails.get(id)?.attempts.at(-1)?.error, 'Nothing in this mail concerns the member any more.');
  }
  const dropped = new Map((await org.notifications()).map((each) => [each.userId, each.droppedReason]));
  t.is(dropped.get(ada.id), 'UNWANTED');
  t.is(dropped.get(grace.id), 'OUT_OF_SCOPE');
  const told = (await org.notifications()).filter(({ mailId }) => mailId !== null);
  t.deepEqual([...new Set(told.map(({ droppedReason }) => droppedReason))], [null], 'a mail has what it tells');
});

test.serial('a mail that waited and cannot be written again fails, and the others are sent', async (t) => {
  const org = await newMailingOrganization(app);
  const [ada, grace] = [await org.member('Ada'), await org.member('Grace')];
  const damaged = await launchFor(org.api, ada.id, 'Damaged');
  await launchFor(org.api, grace.id, 'Whole');
  await org.notify(minutesAgo(10));
  await org.compose(minutesAgo(5));
  await app.provision.query(
    `update run_tasks set task_id = '00000000-0000-0000-0000-000000000000' where organization_id = $1 and run_id = $2`,
    [org.organizationId, damaged.id],
  );
  const sent = await sendDue();
  t.deepEqual([...sent.keys()], [grace.email]);
});
