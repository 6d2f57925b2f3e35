import { eventNames } from '@runward/contract';
import type { Template, Webhook } from '@runward/sdk';
import { hasCapability } from '../../../access/plan.ts';
import { html, type Child } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { chosenPage, nextPageLink } from '../next-page.ts';
import { renderTable } from '../table.ts';
import { loadTemplates, templatesOf } from './template-names.ts';
import { webhookPath } from './webhook-path.ts';
import { webhookStatus } from './webhook-status.ts';

/** The webhooks of the organization, newest first. */
export async function listWebhooks(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, formats, visitor } = request;
  const [{ data, nextCursor }, templates] = await Promise.all([
    api.webhooks.list(chosenPage(request)),
    loadTemplates(request),
  ]);
  const main = html`<p class="lead">A webhook sends what happens in runs to another program.</p>
    <div class="actions">
      ${
        hasCapability(visitor.actor, 'webhooks')
          ? html`<a class="button" href="${consolePaths.webhooks}/new">Create a webhook</a>`
          : html`<p class="notice">
              The plan of the organization does not include webhooks. Ask the operator to change it.
            </p>`
      }
      ${data.length > 0 && html`<a class="button quiet" href="${consolePaths.webhooks}/deliveries">All deliveries</a>`}
    </div>
    ${
      data.length === 0
        ? html`<p class="empty">There is no webhook yet. Create one for each program that has to know what happens.</p>`
        : renderTable({
            caption: 'Webhooks',
            columns: ['Webhook', 'Events', 'Templates', 'Status'],
            rows: data.map((webhook) => row(request, webhook, templates)),
          })
    }
    ${nextPageLink(request, nextCursor)}
    <p class="note">Times are in ${formats.timeZone}.</p>`;
  return { title: 'Webhooks', section: 'webhooks', main };
}

function row({ formats }: ConsoleRequest, webhook: Webhook, templates: readonly Template[]): Child[] {
  const { id, name, url, enabledEvents } = webhook;
  return [
    html`<a href="${webhookPath(id)}"><bdi>${name}</bdi></a> <span class="why">${url}</span>`,
    enabledEvents.length === eventNames.length ? 'All' : enabledEvents.join(', '),
    templatesOf(webhook, templates),
    webhookStatus(webhook, formats),
  ];
}
