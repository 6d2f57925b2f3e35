import type { Delivery } from '@runward/sdk';
import { consolePaths } from '../../paths.ts';

/** The path of the page of a webhook. An id may come from a URL. */
export function webhookPath(id: string): string {
  return `${consolePaths.webhooks}/${encodeURIComponent(id)}`;
}

/** The path of the page of a delivery. */
export function deliveryPath({ webhookId, id }: Pick<Delivery, 'webhookId' | 'id'>): string {
  return `${webhookPath(webhookId)}/deliveries/${encodeURIComponent(id)}`;
}
