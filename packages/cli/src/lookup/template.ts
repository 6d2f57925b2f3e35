import type { Client, Template } from '@runward/sdk';
import { find } from '@runward/sdk/find';

/**
 * A template by its ID or its name.
 *
 * @throws FindError if none has the name, or several have it
 */
export async function findTemplate(client: Client, idOrName: string): Promise<Template> {
  return find(client, 'template', idOrName);
}
