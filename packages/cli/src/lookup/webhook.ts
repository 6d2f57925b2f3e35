import type { Client } from '@runward/sdk';
import { byName } from './by-name.ts';
import { isId } from './ids.ts';

/** How help describes an argument that names a webhook. */
export const webhookArgument = 'ID or name of the webhook';

/**
 * The ID of a webhook by its ID or its exact name.
 *
 * @throws CliError if no webhook has the name, or several have it
 */
export async function findWebhookId({ webhooks }: Client, idOrName: string): Promise<string> {
  if (isId(idOrName)) return idOrName.toLowerCase();
  const all = await Array.fromAsync(webhooks.list());
  return byName(all, idOrName, { kind: 'webhook', list: 'runward webhooks list', detail: ({ url }) => url }).id;
}
