import type { Contract, Response } from '@runward/contract';
import { isPermissionError, type Client } from '@runward/sdk';
import { missing } from '../errors.ts';
import { isId, similar } from './ids.ts';

/** A member of the organization, as the API answers it. */
export type Member = Response<Contract['users']['list']>['data'][number];

/** All active members. */
export async function activeMembers({ users }: Client): Promise<Member[]> {
  const all = await Array.fromAsync(users.list());
  return all.filter(({ status }) => status === 'ACTIVE');
}

/** All active members, or null when the key may not read them. */
export async function membersIfAllowed(client: Client): Promise<Member[] | null> {
  try {
    return await activeMembers(client);
  } catch (error) {
    if (isPermissionError(error)) return null;
    throw error;
  }
}

/**
 * The id of a member, given as id or email address.
 *
 * @throws CliError when no active member has the address
 */
export async function findMemberId(client: Client, idOrEmail: string): Promise<string> {
  if (isId(idOrEmail)) return idOrEmail.toLowerCase();
  const members = await activeMembers(client);
  const member = members.find(({ email }) => email.toLowerCase() === idOrEmail.trim().toLowerCase());
  if (member) return member.id;
  const close = similar(
    idOrEmail,
    members.map(({ email }) => email),
  );
  const hint = close.length > 0 ? ` Did you mean ${close.join(' or ')}?` : '';
  throw missing(`No active member has the address ${idOrEmail}.${hint}`);
}
