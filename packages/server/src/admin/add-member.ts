import { administration } from '../audit-log/record-change.ts';
import type { Em } from '../database/database.ts';
import type { User } from '../organization/entities/user.ts';
import { createUser } from '../organization/members/create-user.ts';
import type { CommandContext } from './context.ts';
import { asEmailError, findOrganization } from './lookup.ts';

/** A new member; without a password hash, they cannot sign in yet. */
export type NewMember = Pick<User, 'email' | 'name' | 'role'> & { readonly passwordHash: string | null };

/**
 * Adds a member to an organization, and does more in the same transaction. Throws a command error if the organization
 * is unknown or the email address is taken.
 */
export async function addMember<Result>(
  context: CommandContext,
  organization: string,
  member: NewMember,
  more: (em: Em, user: User) => Promise<Result>,
): Promise<Result> {
  return context
    .inTransaction(async (em) => {
      const { id: organizationId } = await findOrganization(em, organization);
      return more(em, await createUser(administration(em, organizationId), member));
    })
    .catch((error: unknown) => {
      throw asEmailError(error, member.email);
    });
}
