import { formats } from '@runward/contract';
import type { Actor } from '../access/actor.ts';
import type { Em } from '../database/database.ts';
import { Organization } from '../organization/entities/organization.ts';
import { User } from '../organization/entities/user.ts';
import { violates } from '../database/transaction.ts';
import { refused } from './command-error.ts';

/** Whether a text can be the id of a record. */
export const { isId } = formats;

/** The organization with this id or this exact name. */
export async function findOrganization(em: Em, idOrName: string): Promise<Organization> {
  const given = idOrName.trim();
  const [found, ...others] = await em.find(Organization, isId(given) ? { id: given } : { name: given });
  if (!found) throw refused(`There is no organization "${given}"; see "admin organization list".`);
  if (others.length > 0) {
    const ids = [found, ...others].map(({ id }) => id).join(', ');
    throw refused(`Several organizations are named "${given}"; use one of these ids: ${ids}.`);
  }
  return found;
}

/** The member with this email address (in lower case), of any organization. */
export async function findMember(em: Em, email: string): Promise<User> {
  const user = await em.findOne(User, { email });
  if (!user) throw refused(`There is no member with the email address ${email}.`);
  return user;
}

/** A member as the API sees them in a browser, so that its rules can be asked. */
export function actorOf({ id: organizationId, plan, timeZone }: Organization, { id: userId, role }: User): Actor {
  return {
    type: 'USER',
    organizationId,
    plan,
    timeZone,
    userId,
    apiKeyId: null,
    sessionId: null,
    role,
    scopes: null,
    resourceScope: { mode: 'ALL' },
  };
}

/** What to throw where adding a member failed: a refusal where the address is taken, by whatever organization. */
export function takenEmail(error: unknown, email: string): unknown {
  return violates(error, 'users_email_key')
    ? refused(`A member with the email address ${email} already exists.`)
    : error;
}
