import type { Webhook } from '@runward/sdk';
import { html, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { webhookPath } from './webhook-path.ts';

/** The way back from a page about a webhook, and through the webhook from a page below it. */
export function webhookCrumbs(webhook?: Pick<Webhook, 'id' | 'name'>): Markup {
  return html`<nav class="crumbs" aria-label="Breadcrumb">
    <a href="${consolePaths.webhooks}">Webhooks</a>
    ${webhook && html`/ <a href="${webhookPath(webhook.id)}"><bdi>${webhook.name}</bdi></a>`}
  </nav>`;
}
