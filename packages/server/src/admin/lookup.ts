import { formats } from '@runward/contract';
import { ApiError } from '../api-error.ts';
import type { Em } from '../database/database.ts';
import { violates } from '../database/errors.ts';
import { Organization } from '../organization/entities/organization.ts';
import { User } from '../organization/entities/user.ts';
import { beginWriting } from '../organization/moves/ensure-served.ts';
import { commandError } from './command-error.ts';

/** The organization with this id or exact name, which this cell serves. */
export async function findOrganization(em: Em, idOrName: string): Promise<Organization> {
  const term = idOrName.trim();
  const [found, ...others] = await em.find(Organization, formats.isId(term) ? { id: term } : { name: term });
  if (!found) throw commandError(`There is no organization "${term}"; see "runward-admin organization list".`);
  if (others.length > 0) {
    const ids = [found, ...others].map(({ id }) => id).join(', ');
    throw commandError(`Several organizations are named "${term}"; use one of these ids: ${ids}.`);
  }
  await ensureServed(em, found.id);
  return found;
}

/** The member of any organization with this email address, in lower case. */
export async function findMember(em: Em, email: string): Promise<User> {
  const user = await em.findOne(User, { email });
  if (!user) throw commandError(`There is no member with the email address ${email}.`);
  await ensureServed(em, user.organizationId);
  return user;
}

/** Throws a command error if an organization is served by another cell, or while it is being moved there. */
export async function ensureServed(em: Em, organizationId: string): Promise<void> {
  await beginWriting(em, organizationId).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    throw commandError(`The organization ${organizationId} is not served by this cell now; see the guide about cells.`);
  });
}

/**
 * Converts a violation of the unique email address, in any organization, to a command error. Returns others unchanged.
 */
export function asEmailError(error: unknown, email: string): unknown {
  return violates(error, 'users_email_key')
    ? commandError(`A member with the email address ${email} already exists.`)
    : error;
}
