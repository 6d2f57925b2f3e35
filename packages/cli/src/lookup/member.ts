import { isPermissionError, type Client, type User } from '@runward/sdk';
import { notFound } from '../errors.ts';
import { isId } from './ids.ts';
import { similar } from './similar.ts';

/** All active members. */
export async function activeMembers({ users }: Client): Promise<User[]> {
  const all = await Array.fromAsync(users.list());
  return all.filter(({ status }) => status === 'ACTIVE');
}

/** All active members; null if the API key cannot read them. */
export async function membersIfAllowed(client: Client): Promise<User[] | null> {
  try {
    return await activeMembers(client);
  } catch (error) {
    if (isPermissionError(error)) return null;
    throw error;
  }
}

/**
 * The ID of a member, given by ID or email address.
 *
 * @throws CliError if no active member has the address
 */
export async function findMemberId(client: Client, idOrEmail: string): Promise<string> {
  if (isId(idOrEmail)) return idOrEmail.toLowerCase();
  const members = await activeMembers(client);
  const member = members.find(({ email }) => email.toLowerCase() === idOrEmail.trim().toLowerCase());
  if (member) return member.id;
  const suggestions = similar(
    idOrEmail,
    members.map(({ email }) => email),
  );
  const hint = suggestions.length > 0 ? `Did you mean ${suggestions.join(' or ')}?` : 'See: runward users list';
  throw notFound(`No active member has the email address ${idOrEmail}. ${hint}`);
}
