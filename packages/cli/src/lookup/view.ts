import type { Client, SavedView } from '@runward/sdk';
import { find } from '@runward/sdk/find';

/**
 * A saved view by its ID or its name.
 *
 * @throws FindError if none has the name, or several have it
 */
export async function findView(client: Client, idOrName: string): Promise<SavedView> {
  return find(client, 'view', idOrName);
}
