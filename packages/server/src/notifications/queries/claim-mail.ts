import { randomUUID } from 'node:crypto';
import { selectList } from '../../database/columns.ts';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { restingOrganizations } from '../../organization/moves/resting.ts';
import { Mail, type MailAttempt } from '../entities/mail.ts';
import { NotificationCursor } from '../entities/notification-cursor.ts';

const claimed = [
  'organizationId',
  'id',
  'userId',
  'leaseToken',
  'tries',
  'toAddress',
  'messageId',
  'subject',
  'text',
  'html',
] as const;

/** A mail that only this worker may send until its lease expires. */
export interface ClaimedMail extends Pick<Mail, (typeof claimed)[number]>, Pick<NotificationCursor, 'unsubscribeKey'> {
  readonly isMemberActive: boolean;
  /** Whether it was written more than a minute ago. */
  readonly hasWaited: boolean;
}

const claim = statement<ClaimedMail>(`
  with due as (
    select organization_id, id, user_id from mails where status = 'PENDING' and next_attempt_at <= now()
      and organization_id not in ${restingOrganizations}
    order by next_attempt_at limit 1 for update skip locked
  )
  update mails mail set lease_token = $2, next_attempt_at = now() + make_interval(secs => $1)
  from due join notification_cursors cursor on cursor.organization_id = due.organization_id
    join users member on member.organization_id = due.organization_id and member.id = due.user_id
  where mail.organization_id = due.organization_id and mail.id = due.id
  returning ${selectList(Mail, 'mail', claimed)}, ${selectList(NotificationCursor, 'cursor', ['unsubscribeKey'])},
    member.status = 'ACTIVE' as "isMemberActive", mail.created_at < now() - interval '1 minute' as "hasWaited"`);

/** Claims the mail of any organization that is the longest due by the database's clock. Undefined if none is. */
export async function claimMail(em: Em, leaseSeconds: number): Promise<ClaimedMail | undefined> {
  return (await claim(em, leaseSeconds, randomUUID()))[0];
}

const lag = statement<{ seconds: number }>(`
  select coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8 as seconds
  from mails where status = 'PENDING' and next_attempt_at <= now() and organization_id not in ${restingOrganizations}`);

/** For how many seconds the oldest due mail of all organizations has been due. 0 if none is due. */
export async function mailSeconds(em: Em): Promise<number> {
  return (await lag(em))[0]?.seconds ?? 0;
}

/** The result of sending a claimed mail. */
export interface MailRecord {
  /** Null if no attempt was made. The mail is then due at once. */
  readonly attempt: MailAttempt | null;
  readonly status: Mail['status'];
  /** Seconds until the next attempt; null if there is none. */
  readonly delay: number | null;
}

const record = statement(`
  with clock as materialized (select now() as now)
  update mails set status = $4, attempts = attempts || coalesce($5::jsonb, '[]'), held_by = null,
    tries = tries + case when $5 is null then 0 else 1 end, next_attempt_at = now() + make_interval(secs => $6),
    lease_token = null, sent_at = case when $4 = 'SENT' then clock.now end
  from clock
  where organization_id = $1 and id = $2 and lease_token = $3`);

/** Records the result of sending a mail, unless another worker has claimed it since. */
export async function recordMail(
  em: Em,
  { organizationId, id, leaseToken }: Pick<ClaimedMail, 'organizationId' | 'id' | 'leaseToken'>,
  { attempt, status, delay }: MailRecord,
): Promise<void> {
  await record(em, organizationId, id, leaseToken, status, attempt && JSON.stringify(attempt), delay);
}
