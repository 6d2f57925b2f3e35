import { useApp } from '@runward/testing/app';
import { startSmtp, type SmtpBehavior, type TestSmtp } from '@runward/testing/mail/smtp';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { openSmtp } from '../../src/adapters/smtp.ts';
import { newId } from '../../src/ids.ts';
import { Mail } from '../../src/notifications/entities/mail.ts';
import { claimMail } from '../../src/notifications/queries/claim-mail.ts';
import { createMailer } from '../../src/notifications/send/mailer.ts';
import { User } from '../../src/organization/entities/user.ts';
import { mailBaseUrl, newMailingOrganization } from '../support/mailing.ts';

const app = useApp(test);
const em = () => app.database.em.fork();

// A mailer sends whatever is due in the database.
test.afterEach.always(async () => {
  await em().nativeDelete(Mail, {});
});

const retrySchedule = [0, 0, 3_600];

async function openMailer(t: ExecutionContext, { url }: Pick<TestSmtp, 'url'>) {
  const smtp = await openSmtp({ url, from: { name: 'Runward, "Acme"', address: 'runward@example.com' } });
  const log = pino({ level: 'silent' });
  const mailer = createMailer({ database: app.database, smtp, baseUrl: mailBaseUrl, retrySchedule, log });
  t.teardown(async () => {
    await mailer.stop();
    smtp.close();
  });
  return mailer;
}

async function useMailer(t: ExecutionContext, behavior?: SmtpBehavior) {
  const smtp = await startSmtp(behavior);
  t.teardown(() => smtp[Symbol.asyncDispose]());
  return { smtp, mailer: await openMailer(t, smtp) };
}

/** Writes mails that are due, to new members. */
async function dueMails(count: number, settings: Partial<Mail> = {}): Promise<Mail[]> {
  const org = await newMailingOrganization(app);
  const { organizationId, ownerUserId: userId } = org;
  const now = new Date();
  const own = em();
  const mails = Array.from({ length: count }, (_, index) => {
    const id = newId();
    const toAddress = `member-${index}@example.com`;
    const content = { subject: 'Assigned to you: Prüfung', text: 'Text\n', html: '<!doctype html><p>HTML</p>' };
    const state = { status: 'PENDING', heldBy: null, tries: 0, attempts: [], leaseToken: null, sentAt: null } as const;
    const times = { scheduledAt: now, nextAttemptAt: now, createdAt: now };
    const ids = { organizationId, id, userId, toAddress, messageId: `<${id}@example.com>` };
    return own.create(Mail, { ...ids, ...content, ...state, ...times, ...settings });
  });
  await own.flush();
  return mails;
}

const read = ({ id }: Mail) => em().findOneOrFail(Mail, { id });

test.serial('a mail is sent once, with what mail programs need to group, answer and stop it', async (t) => {
  const { smtp, mailer } = await useMailer(t);
  const [mail] = await dueMails(1);
  if (!mail) return t.fail();
  await mailer.tick();
  await mailer.tick();
  const [received, ...others] = smtp.mails;
  t.deepEqual(others, []);
  t.is(received?.to, 'member-0@example.com');
  const header = (name: string) => received?.headers.get(name);
  t.is(header('from'), '"Runward, \\"Acme\\"" <runward@example.com>');
  t.is(header('to'), 'member-0@example.com');
  t.is(header('subject'), 'Assigned to you: Prüfung');
  t.is(header('message-id'), mail.messageId);
  t.is(header('auto-submitted'), 'auto-generated');
  t.is(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  const url =
    header('list-unsubscribe')?.match(/^<(https:\/\/runward\.example\.com\/mail\/unsubscribe\/\S+)>$/)?.[1] ?? '';
  t.true(url.length > 0, header('list-unsubscribe'));
  t.true(received?.text.includes(`Stop all mails: ${url}`), received?.text);
  t.true(received?.html.includes(`href="${url}"`), received?.html);
  const sent = await read(mail);
  t.like(sent, { status: 'SENT', tries: 1, nextAttemptAt: null, leaseToken: null });
  t.like(sent.attempts[0], { response: '250 Accepted', error: null });
  t.truthy(sent.sentAt);
  t.false(sent.text.includes(url) || sent.html.includes(url));
});

test.serial('a mail that the server does not accept for now is sent again with the same Message-ID', async (t) => {
  const { smtp, mailer } = await useMailer(t, { reply: (count) => (count === 1 ? 451 : 250) });
  const [mail] = await dueMails(1);
  if (!mail) return t.fail();
  await mailer.tick();
  t.deepEqual(
    smtp.mails.map(({ headers }) => headers.get('message-id')),
    [mail.messageId, mail.messageId],
  );
  const sent = await read(mail);
  t.is(sent.status, 'SENT');
  t.deepEqual(
    sent.attempts.map(({ error, response }) => error ?? response),
    ['451 Not accepted', '250 Accepted'],
  );
});

test.serial('a mail that the server rejects bounces after one attempt, and the others are sent', async (t) => {
  const { smtp, mailer } = await useMailer(t, { reply: (_, to) => (to === 'member-0@example.com' ? 550 : 250) });
  const [bounced, ...others] = await dueMails(3);
  if (!bounced) return t.fail();
  await mailer.tick();
  t.is(smtp.mails.length, 3);
  t.like(await read(bounced), { status: 'BOUNCED', nextAttemptAt: null });
  t.is((await read(bounced)).attempts[0]?.error, '550 Not accepted');
  for (const each of others) t.is((await read(each)).status, 'SENT');
});

test.serial(
  'a connection that is lost after the mail was sent is retried, and the schedule ends in a failure',
  async (t) => {
    const { smtp, mailer } = await useMailer(t, { reply: () => 'drop' });
    const [mail] = await dueMails(1);
    if (!mail) return t.fail();
    await mailer.tick();
    t.is(smtp.mails.length, 2);
    t.is(new Set(smtp.mails.map(({ headers }) => headers.get('message-id'))).size, 1);
    const waiting = await read(mail);
    t.is(waiting.status, 'PENDING');
    t.true((waiting.nextAttemptAt?.getTime() ?? 0) > Date.now() + 2_000_000);
    await em().nativeUpdate(Mail, { id: mail.id }, { nextAttemptAt: new Date() });
    await mailer.tick();
    t.like(await read(mail), { status: 'FAILED', nextAttemptAt: null, tries: 3 });
  },
);

test.serial('a reply that is cut within a character is recorded, so that its mail is sent once', async (t) => {
  const { smtp, mailer } = await useMailer(t, { accepted: `${'x'.repeat(995)}${'\u{1F600}'.repeat(2)}` });
  const [mail] = await dueMails(1);
  if (!mail) return t.fail();
  await mailer.tick();
  const sent = await read(mail);
  t.is(sent.status, 'SENT');
  t.is(sent.attempts[0]?.response?.length, 1_000);
  t.is(smtp.mails.length, 1);
});

test.serial('mails go over TLS after signing in, and a wrong password bounces nothing', async (t) => {
  const smtp = await startSmtp({ secure: true, password: 'correct-horse' });
  t.teardown(() => smtp[Symbol.asyncDispose]());
  const [mail] = await dueMails(1);
  if (!mail) return t.fail();
  await (await openMailer(t, { url: smtp.url.replace('correct-horse', 'wrong') })).tick();
  t.is(smtp.mails.length, 0);
  const waiting = await read(mail);
  t.is(waiting.status, 'PENDING');
  t.regex(waiting.attempts[0]?.error ?? '', /^535 /);
  await em().nativeUpdate(Mail, { id: mail.id }, { nextAttemptAt: new Date() });
  await (await openMailer(t, smtp)).tick();
  t.is(smtp.mails.length, 1);
  t.is((await read(mail)).status, 'SENT');
});

test.serial('a server that does not take mails from the sender bounces nothing', async (t) => {
  const smtp = await startSmtp({ password: 'correct-horse' });
  t.teardown(() => smtp[Symbol.asyncDispose]());
  const [mail] = await dueMails(1);
  if (!mail) return t.fail();
  await (await openMailer(t, { url: smtp.url.replace('runward:correct-horse@', '') })).tick();
  const waiting = await read(mail);
  t.is(waiting.status, 'PENDING');
  t.regex(waiting.attempts[0]?.error ?? '', /^530 /);
});

test.serial('a mail that waits when its member is deactivated is not sent', async (t) => {
  const { smtp, mailer } = await useMailer(t, { reply: () => 451 });
  const [mail] = await dueMails(1);
  if (!mail) return t.fail();
  await mailer.tick();
  const { organizationId, userId: id } = mail;
  const attempts = smtp.mails.length;
  await em().nativeUpdate(User, { organizationId, id }, { status: 'DEACTIVATED' });
  await em().nativeUpdate(Mail, { id: mail.id }, { nextAttemptAt: new Date() });
  await mailer.tick();
  t.is(smtp.mails.length, attempts);
  const bounced = await read(mail);
  t.like(bounced, { status: 'BOUNCED', nextAttemptAt: null });
  t.regex(bounced.attempts.at(-1)?.error ?? '', /^The member is deactivated/);
});

test.serial('two workers send each mail once', async (t) => {
  const { smtp, mailer } = await useMailer(t, { delayMs: 5 });
  const other = await openMailer(t, smtp);
  const mails = await dueMails(20);
  await Promise.all([mailer.tick(), other.tick()]);
  t.is(smtp.mails.length, 20);
  t.is(new Set(smtp.mails.map(({ to }) => to)).size, 20);
  for (const each of mails) t.is((await read(each)).status, 'SENT');
});

test.serial('a mail of a worker that was killed is sent by another when its lease has expired', async (t) => {
  const { smtp, mailer } = await useMailer(t);
  const [mail] = await dueMails(1);
  if (!mail) return t.fail();
  t.is((await claimMail(em(), 60))?.id, mail.id);
  await mailer.tick();
  t.is(smtp.mails.length, 0);
  await em().nativeUpdate(Mail, { id: mail.id }, { nextAttemptAt: new Date() });
  await mailer.tick();
  t.is(smtp.mails[0]?.headers.get('message-id'), mail.messageId);
});

test.serial('stopping returns a mail whose server does not respond to the queue', async (t) => {
  const { smtp, mailer } = await useMailer(t, { delayMs: 30_000 });
  const [mail] = await dueMails(1);
  if (!mail) return t.fail();
  mailer.notify();
  await until(() => smtp.mails.length === 1, 'the mail');
  await mailer.stop();
  t.like(await read(mail), { status: 'PENDING', tries: 0, leaseToken: null });
});

test.serial('an address or a subject with line breaks adds neither recipients nor headers', async (t) => {
  const { smtp, mailer } = await useMailer(t);
  const [first] = await dueMails(1, { toAddress: 'a@example.com\r\nRCPT TO:<b@example.com>' });
  const [second] = await dueMails(1, { toAddress: 'a@example.com, b@example.com' });
  await dueMails(1, { subject: 'Hello\r\nBcc: b@example.com\r\n\r\nBody' });
  await mailer.tick();
  for (const each of [first, second]) t.is(each && (await read(each)).status, 'BOUNCED');
  const [received, ...others] = smtp.mails;
  t.deepEqual(others, []);
  t.is(received?.to, 'member-0@example.com');
  t.false(received?.headers.has('bcc'));
  t.is(received?.headers.get('subject'), 'Hello Bcc: b@example.com  Body');
});
