import { isPermissionError, type Client, type User } from '@runward/sdk';
import { findId } from '@runward/sdk/find';

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
 * The ID of an active member by ID, email address or name.
 *
 * @throws FindError if none fits, or several do
 */
export async function findMemberId(client: Client, text: string): Promise<string> {
  return findId(client, 'member', text);
}
