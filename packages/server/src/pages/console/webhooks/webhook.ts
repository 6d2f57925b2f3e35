import type { Webhook } from '@runward/sdk';
import { html, type Child, type Markup } from '../../html.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { fact } from '../fact.ts';
import { select } from '../forms/select.ts';
import { timeTag } from '../time-tag.ts';
import { deliveryList } from './delivery-list.ts';
import { loadTemplates, templatesOf } from './template-names.ts';
import { webhookCrumbs } from './webhook-crumbs.ts';
import { webhookPath } from './webhook-path.ts';
import { webhookStatus } from './webhook-status.ts';

/** The page of a webhook: what it is, what can be done with it, and its deliveries. */
export async function showWebhook(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, params } = request;
  const [webhook, templates] = await Promise.all([api.webhooks.get(params['id'] ?? ''), loadTemplates(request)]);
  const { status, part } = await deliveryList(request, { webhookId: webhook.id });
  const main = html`${webhookCrumbs()} ${facts(request, webhook, templatesOf(webhook, templates))}
    ${webhook.description !== null && html`<p class="said">${webhook.description}</p>`} ${actions(request, webhook)}
    ${webhook.pausedReason === null && testForm(request, webhook)}
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      ${part} ${replayLink(webhook)}
    </section>`;
  return { title: webhook.name, section: 'webhooks', status, hasProblem: status >= 400, main };
}

function facts({ formats }: ConsoleRequest, webhook: Webhook, templates: Child): Markup {
  return html`<dl class="facts long">
    ${fact('Status', webhookStatus(webhook, formats))} ${fact('Address', webhook.url)}
    ${fact('Events', webhook.enabledEvents.join(', '))} ${fact('Templates', templates)}
    ${webhook.ordered && fact('Order', 'One delivery at a time, in the order of events. A failing one blocks later ones.')}
    ${fact('Signed with', signer(webhook))} ${fact('Created', timeTag(formats, webhook.createdAt))}
    ${fact('Changed', timeTag(formats, webhook.updatedAt))}
  </dl>`;
}

function signer({ id, ownSecret }: Webhook): Child {
  return ownSecret
    ? html`<a href="${webhookPath(id)}/secret">a secret of its own</a>`
    : 'the secret of the organization';
}

function actions({ csrf }: ConsoleRequest, { id, enabled, pausedReason }: Webhook): Markup {
  const path = webhookPath(id);
  const button = enabled
    ? html`<button type="submit" class="quiet" name="enabled" value="false">Disable</button>`
    : html`<button type="submit" name="enabled" value="true">Enable</button>`;
  return html`<div class="actions">
    ${(enabled || pausedReason === null) && html`<form method="post" action="${path}/enabled">${csrf}${button}</form>`}
    <a class="button quiet" href="${path}/edit">Edit…</a>
    <a class="button quiet" href="${path}/delete">Delete…</a>
  </div>`;
}

function testForm({ csrf }: ConsoleRequest, { id, enabledEvents }: Webhook): Markup {
  return html`<section aria-labelledby="test">
    <h2 id="test">Test</h2>
    <p class="note">
      Sends an event that did not happen, marked as a test. It is signed and recorded like any delivery, and also sent
      while the webhook is disabled.
    </p>
    <form class="travel" method="post" action="${webhookPath(id)}/test">
      ${csrf}
      ${select({
        id: 'test-event',
        name: 'event',
        label: 'Event to send',
        options: enabledEvents.map((event) => ({ value: event, text: event })),
        value: enabledEvents[0] ?? '',
      })}
      <button type="submit" class="quiet">Send a test</button>
    </form>
  </section>`;
}

function replayLink({ id, enabled, pausedReason }: Webhook): Child {
  if (pausedReason !== null) return null;
  if (!enabled) return html`<p class="note">Enable the webhook to send deliveries again that have failed.</p>`;
  return html`<p><a class="button quiet" href="${webhookPath(id)}/replay">Replay the failed ones…</a></p>`;
}
