import test from 'ava';
import { checkMails } from '../checker/mails.ts';
import type { InjectedFault } from '../history/history.ts';
import type { MailHistory, MailRow, NotificationRow, Reception } from '../history/mail-history.ts';

const began = Date.parse('2026-01-05T12:00:00.000Z');
const end = began + 600_000;

type Mutable<Item> = { -readonly [Key in keyof Item]: Item[Key] };
type MutableMails = { readonly [Key in 'notifications' | 'mails' | 'received']: Mutable<MailHistory[Key][number]>[] };

const notification = (number: number, settings: Partial<NotificationRow> = {}): NotificationRow => {
  const id = `notification-${number}`;
  const row = { id, userId: 'grace', kind: 'ASSIGNED', eventId: `event-${number}`, dueAt: began };
  return { ...row, mailId: `mail-${number}`, droppedReason: null, ...settings };
};
const mail = (number: number, status: MailRow['status'], to = 'grace@example.com'): MailRow => {
  return { id: `mail-${number}`, userId: 'grace', to, messageId: `<${number}>`, status, attempts: 1 };
};
const reception = (number: number, after: number, reply: Reception['reply']): Reception => {
  const arrivedAt = began + after;
  const got = { arrivedAt, respondedAt: arrivedAt + 5, messageId: `<${number}>`, to: 'grace@example.com' };
  return { ...got, worker: 'worker 1', reply };
};

/** One mail was sent after a 4xx and a lost connection, and one has bounced. Another notification was dropped. */
function smallMails(): MutableMails {
  return {
    notifications: [notification(1), notification(2), notification(3, { mailId: null, droppedReason: 'OBSOLETE' })],
    mails: [mail(1, 'SENT'), mail(2, 'BOUNCED')],
    received: [
      reception(1, 1_000, 451),
      reception(1, 3_000, 'drop'),
      reception(1, 5_000, 250),
      reception(2, 2_000, 550),
    ],
  };
}

const checked = (history: MutableMails, faults: readonly InjectedFault[] = []) =>
  checkMails({ mail: { ...history, members: [], approverIds: [] }, faults, attempts: 3 }, end);

function violated(change: (history: MutableMails) => void): string[] {
  const history = smallMails();
  change(history);
  return [...new Set(checked(history).violations.map(({ rule }) => rule))].sort();
}

test('mails that were sent once, or have bounced, keep every promise', (t) => {
  t.deepEqual(checked(smallMails()), { violations: [], repeated: { byKill: 0, byDatabase: 0, unexplained: 0 } });
  t.deepEqual(
    violated((it) => it.notifications.push(notification(4, { mailId: null, dueAt: end + 1 }))),
    [],
    'a digest that is due later',
  );
  t.deepEqual(
    violated((it) => it.mails.push(mail(4, 'BOUNCED'))),
    [],
    'all that it told was dropped while it waited',
  );
});

const planted: readonly (readonly [string, (history: MutableMails) => void, readonly string[]])[] = [
  [
    'a due notification is in no mail',
    (it) => change(it.notifications, { mailId: null }),
    ['lost mail', 'phantom mail'],
  ],
  ['the mail of a notification is missing', (it) => it.mails.splice(1), ['lost mail', 'phantom mail']],
  ['a notification is in a mail to another member', (it) => change(it.notifications, { userId: 'ada' }), ['lost mail']],
  ['a dropped notification is in a mail', (it) => change(it.notifications, { droppedReason: 'x' }), ['phantom mail']],
  ['a mail contains no notification', (it) => it.notifications.splice(0, 1), ['phantom mail']],
  ['a mail is still pending', (it) => change(it.mails, { status: 'PENDING' }), ['lost mail']],
  ['a mail counts as sent that was never accepted', (it) => it.received.splice(2, 1), ['lost mail']],
  ['a mail that was accepted counts as bounced', (it) => change(it.mails, { status: 'BOUNCED' }), ['wrong bounce']],
  [
    'a mail that was rejected counts as failed',
    (it) => Object.assign(it.mails[1] ?? {}, { status: 'FAILED' }),
    ['wrong bounce'],
  ],
  ['a mail failed before its last attempt', (it) => change(it.mails, { status: 'FAILED' }), ['failed too early']],
  [
    'a mail was received that the service does not know',
    (it) => it.received.push(reception(9, 1, 250)),
    ['phantom mail'],
  ],
  ['a mail was sent to another address', (it) => change(it.received, { to: 'ada@example.com' }), ['phantom mail']],
  ['an accepted mail was sent again', (it) => it.received.push(reception(1, 100_000, 250)), ['duplicate mail']],
  ['a rejected mail was sent again', (it) => it.received.push(reception(2, 100_000, 550)), ['duplicate mail']],
];

for (const [name, plant, rules] of planted) {
  test(`the checker detects that ${name}`, (t) => {
    t.deepEqual(violated(plant), rules);
  });
}

test('a mail may arrive again if its own worker or the database was lost, once its lease has expired', (t) => {
  const after = (ms: number, kind: InjectedFault['kind'], target: string, from: number) => {
    const history = smallMails();
    history.received.push(reception(1, 5_000 + ms, 250));
    const at = began + 5_000 + from;
    const { violations, repeated } = checked(history, [{ kind, target, name: kind, from: at, to: at + 3_000 }]);
    return [repeated.byKill, repeated.byDatabase, repeated.unexplained, violations.length];
  };
  t.deepEqual(after(90_000, 'kill', 'worker 1', 100), [1, 0, 0, 0]);
  t.deepEqual(after(90_000, 'restart', 'PostgreSQL', -100), [0, 1, 0, 0]);
  t.deepEqual(after(2_000, 'stop', 'worker 1', 100), [1, 0, 0, 0]);

  t.deepEqual(after(60_000, 'kill', 'worker 1', 100), [1, 0, 0, 1]);
  t.deepEqual(after(90_000, 'kill', 'worker 2', 100), [0, 0, 1, 1]);
  t.deepEqual(after(90_000, 'kill', 'worker 1', 20_000), [0, 0, 1, 1]);
});

function change<Row extends object>([first]: readonly Row[], changes: Partial<Row>): void {
  Object.assign(first ?? {}, changes);
}
