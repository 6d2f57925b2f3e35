import type { BodyInput, Contract } from '@runward/contract';
import { signIn } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { must } from '@runward/testing/process';
import type { Owner } from './approver.ts';

/** The members that runs give work to, only to notify them. They never do it. */
export interface MailMembers {
  readonly memberIds: readonly [string, ...string[]];
  /** The group of two of them. */
  readonly groupId: string;
}

type Choices = BodyInput<Contract['me.notifications']['update']>;

const members: readonly { readonly name: string; readonly email?: string; readonly wants?: Choices }[] = [
  { name: 'Wants all' },
  { name: 'In a group' },
  { name: 'Bounces', email: 'bounce@example.com' },
  { name: 'Wants no assignments', wants: { kinds: { ASSIGNED: 'NEVER', APPROVAL: 'NEVER' } } },
  { name: 'Wants a digest of mentions', wants: { kinds: { MENTIONED: 'DIGEST' } } },
];

/**
 * How long before a deadline its reminder is due: longer than the job that detects it may take without faults. Closer
 * deadlines have no reminder.
 */
const remindBefore = 'PT75S';

/** Adds the members, with what they want by mail, and has tasks of the organization get reminders. */
export async function addMailMembers(baseUrl: string, { ownerEmail, ownerPassword }: Owner): Promise<MailMembers> {
  const owner = await signIn(baseUrl, ownerEmail, ownerPassword);
  await must(owner.call('organization', 'update', { body: { remindBefore } }));
  const ids: string[] = [];
  for (const { name, email, wants } of members) {
    const { id, session } = await addMember(baseUrl, owner, { name, ...(email !== undefined && { email }) });
    // In twelve hours, so that the digest is not due during the run.
    const digestHour = (new Date().getUTCHours() + 12) % 24;
    if (wants) await must(session.call('me.notifications', 'update', { body: { ...wants, digestHour } }));
    ids.push(id);
  }
  const [first = '', ...others] = ids;
  const body = { name: 'Told together', memberIds: ids.slice(0, 2) };
  const { id: groupId } = await must(owner.call('groups', 'create', { body }));
  return { memberIds: [first, ...others], groupId };
}
