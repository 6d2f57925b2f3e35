import type { Delivery, Webhook } from '@runward/sdk';
import { hasCapability } from '../../../access/plan.ts';
import { html, type Child, type Markup } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { fact } from '../fact.ts';
import { statusMark } from '../status.ts';
import { renderTable } from '../table.ts';
import { timeTag } from '../time-tag.ts';
import { attemptResult } from './attempt-result.ts';
import { eventMeanings } from './event-meanings.ts';
import { shownAgain } from './shown-again.ts';
import { webhookCrumbs } from './webhook-crumbs.ts';
import { deliveryPath } from './webhook-path.ts';

/** The page of a delivery: its state, its attempts and its body. */
export async function showDelivery(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, params, formats } = request;
  const [id, deliveryId] = [params['id'] ?? '', params['deliveryId'] ?? ''];
  const [webhook, delivery] = await Promise.all([api.webhooks.get(id), api.webhooks.delivery(id, deliveryId)]);
  const main = html`${webhookCrumbs(webhook)} ${facts(request, delivery)} ${actions(request, webhook, delivery)}
    <section aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      ${attempts(request, delivery)}
      <p class="note">Times are in ${formats.timeZone}.</p>
    </section>
    <section aria-labelledby="body">
      <h2 id="body">Body of the request</h2>
      <pre class="code" tabindex="0">${JSON.stringify(delivery.payload, null, 2)}</pre>
    </section>`;
  return { title: `Delivery of ${delivery.event}`, section: 'webhooks', main };
}

/** Sends a delivery again. */
export async function resend(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, params } = request;
  const [id, deliveryId] = [params['id'] ?? '', params['deliveryId'] ?? ''];
  const path = deliveryPath({ webhookId: id, id: deliveryId });
  try {
    await api.webhooks.resend(id, deliveryId);
  } catch (error) {
    return shownAgain(error, request, { path, show: showDelivery });
  }
  return { redirectTo: `${path}?notice=resent` };
}

function facts({ formats }: ConsoleRequest, delivery: Delivery): Markup {
  const { event, status, payload, nextAttemptAt, createdAt } = delivery;
  return html`<dl class="facts long">
    ${fact('Status', statusMark(status))}
    ${fact('Event', payload.data.test ? 'A test: it did not happen' : eventMeanings[event])}
    ${fact('Time of the event', timeTag(formats, createdAt))}
    ${nextAttemptAt !== null && fact('Next attempt', timeTag(formats, nextAttemptAt))}
  </dl>`;
}

function actions({ csrf, visitor }: ConsoleRequest, webhook: Webhook, delivery: Delivery): Markup {
  const path = deliveryPath(delivery);
  const isPending = delivery.status === 'PENDING';
  const isStopped = !webhook.enabled && !delivery.payload.data.test;
  const why = !hasCapability(visitor.actor, 'webhooks')
    ? 'The plan of the organization does not include webhooks, so nothing is sent.'
    : isStopped && 'The webhook is disabled, so nothing is sent. Enable it first.';
  return html`<div class="actions">
    ${
      why === false &&
      html`<form method="post" action="${path}/resend">
        ${csrf}<button type="submit" class="quiet">${isPending ? 'Send now' : 'Resend'}</button>
      </form>`
    }
    ${isPending && html`<a class="button quiet" href="${path}">Show the current state</a>`}
    ${why && html`<p class="note">${why}</p>`}
  </div>`;
}

function attempts({ formats }: ConsoleRequest, { attempts: all }: Delivery): Child {
  if (all.length === 0) return html`<p class="empty">There was no attempt yet. Look again in a moment.</p>`;
  return renderTable({
    caption: 'Attempts, newest first',
    columns: ['Time', 'Response', 'Duration', 'Body of the response'],
    rows: all
      .toReversed()
      .map((attempt) => [
        timeTag(formats, attempt.at),
        attemptResult(attempt),
        `${formats.number(attempt.durationMs)} ms`,
        attempt.responseBody ? body(attempt.responseBody) : 'Empty',
      ]),
  });
}

function body(text: string): Markup {
  return html`<details>
    <summary>Show it</summary>
    <pre class="code" tabindex="0">${text}</pre>
  </details>`;
}
