import { formats } from '@runward/contract';
import type { Em } from '../database/database.ts';
import { violates } from '../database/errors.ts';
import { Organization } from '../organization/entities/organization.ts';
import { User } from '../organization/entities/user.ts';
import { commandError } from './command-error.ts';

/** The organization with this id or exact name. */
export async function findOrganization(em: Em, idOrName: string): Promise<Organization> {
  const term = idOrName.trim();
  const [found, ...others] = await em.find(Organization, formats.isId(term) ? { id: term } : { name: term });
  if (!found) throw commandError(`There is no organization "${term}"; see "admin organization list".`);
  if (others.length > 0) {
    const ids = [found, ...others].map(({ id }) => id).join(', ');
    throw commandError(`Several organizations are named "${term}"; use one of these ids: ${ids}.`);
  }
  return found;
}

/** The member of any organization with this email address, in lower case. */
export async function findMember(em: Em, email: string): Promise<User> {
  const user = await em.findOne(User, { email });
  if (!user) throw commandError(`There is no member with the email address ${email}.`);
  return user;
}

/**
 * Converts a violation of the unique email address, in any organization, to a command error. Returns others unchanged.
 */
export function asEmailError(error: unknown, email: string): unknown {
  return violates(error, 'users_email_key')
    ? commandError(`A member with the email address ${email} already exists.`)
    : error;
}
