import type { Client } from '@runward/sdk';
import { findId } from '@runward/sdk/find';

/**
 * The ID of a folder by its ID or its name.
 *
 * @throws FindError if none has the name, or several have it
 */
export async function findFolder(client: Client, idOrName: string): Promise<string> {
  return findId(client, 'folder', idOrName);
}
