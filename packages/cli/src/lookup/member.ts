import { isPermissionError, type Client, type User } from '@runward/sdk';

/** All active members. Null if the API key cannot read them. */
export async function membersIfAllowed({ users }: Client): Promise<User[] | null> {
  try {
    return await Array.fromAsync(users.list());
  } catch (error) {
    if (isPermissionError(error)) return null;
    throw error;
  }
}
