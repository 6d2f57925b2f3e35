import test from 'ava';
import { withUnsubscribeLink, writeMail, type Item } from '../../src/notifications/compose/write-mail.ts';
import { dueAt } from '../../src/notifications/due-at.ts';

const frame = { baseUrl: 'https://runward.example.com', organizationName: 'Acme <Ltd>', timeZone: 'Europe/Berlin' };
const item: Item = {
  kind: 'ASSIGNED',
  title: 'Collect the documents',
  runTitle: 'Onboarding',
  path: '/console/tasks/1',
  due: { at: '2026-03-29T16:00:00.000Z', hasTime: true },
};

test('a mail lists what is most urgent first, with due dates in the time zone of the organization', (t) => {
  const mail = writeMail([item, { ...item, kind: 'OVERDUE', title: 'Pay' }], frame);
  t.is(mail.subject, 'Overdue: Pay and 1 more');
  t.true(mail.text.indexOf('Overdue\n') < mail.text.indexOf('Assigned to you\n'));
  t.true(mail.text.includes('  Due 29 Mar 2026, 18:00 (Europe/Berlin)\n'), mail.text);
});

test('titles with line breaks and markup stay one line of text, and are escaped in HTML', (t) => {
  const title = 'A\r\nBcc: everyone@example.com\u2028\u202e<script>alert(1)</script>"';
  const mail = writeMail([{ ...item, title, runTitle: title }], frame);
  t.is(mail.subject, 'Assigned to you: A Bcc: everyone@example.com <script>alert(1)</script>"');
  t.true(mail.text.includes('- A Bcc: everyone@example.com <script>alert(1)</script>"\n'));
  t.false(mail.html.includes('<script'));
  t.true(mail.html.includes('<bdi>A Bcc: everyone@example.com &lt;script&gt;'), mail.html);
  t.false(mail.html.includes('Acme <Ltd>'));
});

test('a title that is written from right to left is isolated, and a long one is cut in the subject', (t) => {
  t.is(writeMail([{ ...item, title: 'מסמכים' }], frame).subject, 'Assigned to you: \u2068מסמכים\u2069');
  const { subject } = writeMail([{ ...item, title: '😀'.repeat(300) }], frame);
  t.is(subject, `Assigned to you: ${'😀'.repeat(149)}…`);
});

test('a mail with very many items lists some of each kind, and where the others are', (t) => {
  const items = Array.from({ length: 120 }, (_, index) => ({ ...item, title: `Task ${index}` }));
  const mail = writeMail([item, ...items], frame);
  t.is(mail.subject, 'Assigned to you: Collect the documents and 120 more');
  t.true(mail.text.includes('and 71 more: https://runward.example.com/console/tasks'), mail.text);
});

test('the link for unsubscribing ends both parts of a mail', (t) => {
  const mail = withUnsubscribeLink(writeMail([item], frame), 'https://runward.example.com/mail/unsubscribe/x');
  t.true(mail.text.endsWith('Stop all mails: https://runward.example.com/mail/unsubscribe/x\n'));
  t.regex(
    mail.html,
    /^<!doctype html>[^]*<a href="https:\/\/runward.example.com\/mail\/unsubscribe\/x">Stop all mails<\/a><\/p><\/body><\/html>$/,
  );
});

test('a digest is due at the next such hour, also when clocks change', (t) => {
  const digest = (timeZone: string, digestHour: number, now: string) =>
    dueAt({ choice: 'DIGEST', digestHour, timeZone, pendingAt: null, delaySeconds: 120 }, new Date(now)).toISOString();
  t.is(digest('Europe/Berlin', 8, '2026-03-28T06:59:59.999Z'), '2026-03-28T07:00:00.000Z');
  t.is(digest('Europe/Berlin', 8, '2026-03-28T07:00:00.000Z'), '2026-03-29T06:00:00.000Z');
  t.is(digest('Europe/Berlin', 8, '2026-10-24T12:00:00.000Z'), '2026-10-25T07:00:00.000Z');
  t.is(digest('Europe/Berlin', 2, '2026-03-28T12:00:00.000Z'), '2026-03-29T01:00:00.000Z', 'an hour that clocks skip');
  t.is(digest('Europe/Berlin', 2, '2026-10-24T12:00:00.000Z'), '2026-10-25T00:00:00.000Z', 'an hour that comes twice');
});

test('what is told at once is due with the first pending notification, a delay later at most', (t) => {
  const now = new Date('2026-03-01T09:00:00.000Z');
  const at = (pending: string | null, delaySeconds = 120) => {
    const pendingAt = pending === null ? null : new Date(pending);
    return dueAt({ choice: 'AT_ONCE', digestHour: 8, timeZone: 'UTC', pendingAt, delaySeconds }, now).toISOString();
  };
  t.is(at(null), '2026-03-01T09:02:00.000Z');
  t.is(at('2026-03-01T09:01:00.000Z'), '2026-03-01T09:01:00.000Z');
  t.is(at('2026-03-02T08:00:00.000Z'), '2026-03-01T09:02:00.000Z', 'a digest does not delay it');
  t.is(at(null, 0), '2026-03-01T09:00:00.000Z');
});
