import { randomUUID } from 'node:crypto';
import type { TestOrganization } from '@runward/testing/organization';
import type { SharedApp } from '@runward/testing/use-shared-app';

/** Writes a mail to the owner that has bounced, because no test service sends mail. */
export async function newMailId(
  { provision }: Pick<SharedApp, 'provision'>,
  { organizationId, ownerUserId, ownerEmail }: TestOrganization,
  subject = 'Assigned to you: Collect the documents',
): Promise<string> {
  const id = randomUUID();
  const attempts = [{ at: '2026-03-02T09:00:00.000Z', response: null, error: '550 5.1.1 User unknown' }];
  await provision.query(
    `insert into mails (organization_id, id, user_id, to_address, message_id, subject, text, html, status, attempts, tries,
       scheduled_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $6, '', 'BOUNCED', $7, 1, now(), now())`,
    [organizationId, id, ownerUserId, ownerEmail, `<${id}@example.com>`, subject, JSON.stringify(attempts)],
  );
  return id;
}
