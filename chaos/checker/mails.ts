import type { History, InjectedFault, Violation } from '../history/history.ts';
import type { MailHistory, MailRow, Reception } from '../history/mail-history.ts';
import { causeOf, type Duplicates } from './duplicates.ts';

/**
 * A lease lasts 90 s from the claim. If the database is stalled, the worker may learn of the claim almost 15 s later.
 */
const minLeaseMs = 74_000;

/**
 * Checks that every notification that was not dropped is in one mail to its member, that every mail was sent or has
 * ended after all attempts, and that the mail server got nothing else. A mail may arrive again after it was accepted or
 * rejected only if its worker was killed, or the database was down, before that was recorded. `end` is the time of the
 * last observation.
 */
export function checkMails(
  { mail, faults, attempts }: Pick<History, 'mail' | 'faults' | 'attempts'>,
  end: number,
): { violations: Violation[]; repeated: Duplicates } {
  const receptions = Map.groupBy(mail.received, ({ messageId }) => messageId);
  const repeated = { byKill: 0, byDatabase: 0, unexplained: 0 };
  const rows = new Map(mail.mails.map((each) => [each.messageId, each]));
  const told = new Set(mail.notifications.map(({ mailId }) => mailId));
  const violations = [
    ...notificationProblems(mail, end),
    ...mail.mails.flatMap((row) =>
      told.has(row.id) ? statusProblems(row, receptions.get(row.messageId) ?? [], attempts) : emptyProblems(row),
    ),
  ];
  for (const [messageId, all] of receptions) {
    const row = rows.get(messageId);
    if (!row || all.some(({ to }) => to !== row.to)) {
      violations.push({ rule: 'phantom mail', detail: `${messageId} to ${all[0]?.to} is no mail of the service` });
    }
    const inOrder = all.toSorted((one, other) => one.arrivedAt - other.arrivedAt);
    for (const [index, reception] of inOrder.entries()) {
      const next = inOrder[index + 1];
      if (!next || !isFinal(reception)) continue;
      const { by, problem } = repetition(reception, next, faults);
      repeated[by] += 1;
      if (problem !== null) violations.push({ rule: 'duplicate mail', detail: `${messageId} ${problem}` });
    }
  }
  return { violations, repeated };
}

/** Whether the worker knows from the reply that the mail must not be sent again. */
function isFinal({ reply }: Reception): boolean {
  return reply !== 'drop' && (reply < 400 || reply >= 500);
}

function repetition(reception: Reception, next: Reception, faults: readonly InjectedFault[]) {
  const { by, kind } = causeOf(reception, faults, reception.worker);
  const gap = next.arrivedAt - reception.arrivedAt;
  const again = `was sent again ${gap} ms after the reply ${reception.reply}`;
  if (by === 'unexplained') return { by, problem: `${again}; no fault explains it` };
  // A worker that shuts down in order releases what it did not send.
  return { by, problem: gap < minLeaseMs && kind !== 'stop' ? `${again}, before its lease expired` : null };
}

function notificationProblems({ notifications, mails }: MailHistory, end: number): Violation[] {
  const byId = new Map(mails.map((mail) => [mail.id, mail]));
  return notifications.flatMap(({ id, userId, mailId, droppedReason, dueAt }): Violation[] => {
    const lost = (why: string) => [{ rule: 'lost mail', detail: `notification ${id} ${why}` }];
    if (mailId === null) return droppedReason === null && dueAt <= end ? lost('is in no mail') : [];
    if (droppedReason !== null) return [{ rule: 'phantom mail', detail: `dropped notification ${id} is in a mail` }];
    return byId.get(mailId)?.userId === userId ? [] : lost(`is in ${mailId}, which is no mail to its member`);
  });
}

/** A mail has nothing to tell if all that it told was dropped while it waited. */
function emptyProblems({ id, status }: MailRow): Violation[] {
  return status === 'BOUNCED' ? [] : [{ rule: 'phantom mail', detail: `${id} contains no notification` }];
}

function statusProblems({ id, status, attempts }: MailRow, all: readonly Reception[], scheduled: number): Violation[] {
  const got = (is: (code: number) => boolean) => all.some(({ reply }) => reply !== 'drop' && is(reply));
  const wasRejected = got((code) => code >= 500);
  if (status === 'PENDING') return [{ rule: 'lost mail', detail: `${id} is still pending` }];
  if (status === 'SENT' && !got((code) => code < 400))
    return [{ rule: 'lost mail', detail: `${id} counts as sent, but was never accepted` }];
  if ((status === 'BOUNCED') !== wasRejected)
    return [{ rule: 'wrong bounce', detail: `${id} is ${status}, rejected: ${wasRejected}` }];
  if (status === 'FAILED' && attempts !== scheduled)
    return [{ rule: 'failed too early', detail: `mail ${id} failed after ${attempts} attempts` }];
  return [];
}
