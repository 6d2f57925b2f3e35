import { isPermissionError, type Client, type User } from '@runward/sdk';

type List = Parameters<Client['users']['list']>[0];

/** All members, by default the active ones. Null if the API key cannot read them. */
export async function membersIfAllowed({ users }: Client, query: List = {}): Promise<User[] | null> {
  try {
    return await Array.fromAsync(users.list(query));
  } catch (error) {
    if (isPermissionError(error)) return null;
    throw error;
  }
}
