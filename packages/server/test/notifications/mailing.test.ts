import { defaultLimits } from '@runward/contract';
import { useApp } from '@runward/testing/app';
import { startSmtp } from '@runward/testing/mail/smtp';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { pino } from 'pino';
import { Mail } from '../../src/notifications/entities/mail.ts';
import { openMailing } from '../../src/notifications/mailing.ts';
import { delaySeconds, launchFor } from '../support/mailing.ts';

const app = useApp(test);

test('what happened before the service first sends mail is not told, but all that happens in later organizations is', async (t) => {
  const [smtp, stack] = [await startSmtp(), new AsyncDisposableStack()];
  t.teardown(() => smtp[Symbol.asyncDispose]());
  t.teardown(() => stack.disposeAsync());
  const from = { name: 'Runward', address: 'runward@example.com' };
  const parts = {
    baseUrl: app.baseUrl,
    limits: defaultLimits,
    retrySchedule: [0],
    log: pino({ level: 'silent' }),
  };
  const mailing = await openMailing({ url: smtp.url, from, delaySeconds }, { database: app.database, ...parts }, stack);
  const { signal } = new AbortController();
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const org = await newOrganization(app);
  const grace = await org.member('Grace');
  await launchFor(org.api, grace.id, 'Before');
  await mailing.write(signal);
  await launchFor(org.api, grace.id, 'After');

  const other = await newOrganization(app);
  const ada = await other.member('Ada');
  const { templateId } = await publishProcess(other.api, [{ title: 'First', assigneeId: ada.id }]);
  await launchRun(other.api, templateId);
  await mailing.write(signal);
  for (const minutes of [3, 6]) {
    await mailing.write(signal, later(minutes));
    // The mails are due then by the clock of the database, too.
    await app.database.em.fork().nativeUpdate(Mail, { status: 'PENDING' }, { nextAttemptAt: new Date() });
    await mailing.mailer.tick();
  }
  t.is(smtp.mails.length, 2);
  const sent = new Map(smtp.mails.map(({ to, headers }) => [to, headers.get('subject')]));
  t.is(sent.get(grace.email), 'Assigned to you: After');
  t.is(sent.get(ada.email), 'Assigned to you: First');
});
