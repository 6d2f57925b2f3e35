import { html } from '../../html.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { deliveryList } from './delivery-list.ts';
import { webhookCrumbs } from './webhook-crumbs.ts';

/** The most webhooks that an organization has, and so the filter offers. */
const maximumWebhooks = 50;

/** The deliveries of all webhooks of the organization. */
export async function listDeliveries(request: ConsoleRequest): Promise<ConsoleView> {
  const { data } = await request.api.webhooks.list({ limit: maximumWebhooks });
  const { status, part } = await deliveryList(request, { webhooks: data });
  return {
    title: 'Deliveries',
    section: 'webhooks',
    status,
    hasProblem: status >= 400,
    main: html`${webhookCrumbs()} ${part}`,
  };
}
