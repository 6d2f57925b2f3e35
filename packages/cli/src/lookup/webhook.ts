import type { Client } from '@runward/sdk';
import { findId } from '@runward/sdk/find';

/** How help describes an argument that names a webhook. */
export const webhookArgument = 'ID or name of the webhook';

/**
 * The ID of a webhook by its ID or its name.
 *
 * @throws FindError if none has the name, or several have it
 */
export async function findWebhookId(client: Client, idOrName: string): Promise<string> {
  return findId(client, 'webhook', idOrName);
}
