import { deliveryStatuses, eventNames, eventRetentionDays } from '@runward/contract';
import type { Delivery, DeliveryPage, Webhook, WebhooksDeliveriesQuery } from '@runward/sdk';
import { inWords } from '../../../words.ts';
import { html, type Child, type Markup } from '../../html.ts';
import { rejectedFields, type ConsoleRequest } from '../console-page.ts';
import { filterChoices, filterForm } from '../forms/filter-choices.ts';
import { errorSummary, type FormError } from '../forms/form-errors.ts';
import { namedOptions } from '../forms/select.ts';
import { nextPageLink, pageSize } from '../next-page.ts';
import { statusMark } from '../status.ts';
import { renderTable } from '../table.ts';
import { timeTag } from '../time-tag.ts';
import { totalNote } from '../total-note.ts';
import { attemptResult } from './attempt-result.ts';
import { periodFields, readPeriod, renderPeriod } from './period.ts';
import { deliveryPath, webhookPath } from './webhook-path.ts';

const labels = { webhookId: 'Webhook', event: 'Event', status: 'Status', ...periodFields } as const;
/** A list of deliveries with its filters, as a part of a page. */
interface DeliveryList {
  /** 400 if the filters are wrong. */
  readonly status: number;
  readonly part: Markup;
}

/** The deliveries of one webhook, or those of all these webhooks with the webhook as a filter. Newest first. */
export async function deliveryList(
  request: ConsoleRequest,
  of: { readonly webhookId: string } | { readonly webhooks: readonly Webhook[] },
): Promise<DeliveryList> {
  const found = await find(request, 'webhookId' in of ? of.webhookId : request.query.get('webhookId') || undefined);
  const webhooks = 'webhooks' in of ? of.webhooks : [];
  const errors = Array.isArray(found) ? found : [];
  const part = html`${errorSummary(errors)}
    ${filterForm(request, 'Deliveries', filterFields(request, webhooks, errors))}
    ${'total' in found && results(request, found, webhooks)}
    <p class="note">Deliveries are kept for ${eventRetentionDays} days. Times are in ${request.formats.timeZone}.</p>`;
  return { status: errors.length > 0 ? 400 : 200, part };
}

async function find(
  { api, query, formats }: ConsoleRequest,
  webhookId: string | undefined,
): Promise<DeliveryPage | readonly FormError[]> {
  const { errors, ...period } = readPeriod(query, formats);
  if (errors.length > 0) return errors;
  const chosen = ['event', 'status', 'cursor'].map((name) => [name, query.get(name) || undefined]);
  // The endpoint rejects what does not fit.
  const filters = Object.fromEntries(chosen) as WebhooksDeliveriesQuery;
  const found = api.webhooks.deliveries({ ...filters, ...period, webhookId, limit: pageSize, total: 'bounded' });
  return found.catch((error: unknown) => rejectedFields(error, labels));
}

function filterFields({ query }: ConsoleRequest, webhooks: readonly Webhook[], errors: readonly FormError[]): Markup {
  const choose = filterChoices(query, labels, errors);
  const events = eventNames.map((event) => ({ value: event, text: event }));
  const statuses = deliveryStatuses.map((status) => ({ value: status, text: inWords(status) }));
  return html`${webhooks.length > 0 && choose('webhookId', namedOptions(webhooks))} ${choose('event', events)}
  ${choose('status', statuses)} ${renderPeriod(query, errors)}`;
}

function results(request: ConsoleRequest, page: DeliveryPage, webhooks: readonly Webhook[]): Child {
  const { data, total, nextCursor } = page;
  if (total === 0) return html`<p class="empty">There are no such deliveries. Clear the filters, or send a test.</p>`;
  const { formats } = request;
  const names = new Map(webhooks.map(({ id, name }) => [id, name]));
  const row = (delivery: Delivery): Child[] => {
    const { webhookId, event, status, attempts, createdAt } = delivery;
    const last = attempts.at(-1);
    return [
      html`<a href="${deliveryPath(delivery)}">${event}</a>`,
      ...(webhooks.length > 0
        ? [html`<a href="${webhookPath(webhookId)}"><bdi>${names.get(webhookId) ?? 'Webhook'}</bdi></a>`]
        : []),
      statusMark(status),
      last === undefined ? 'None yet' : html`${formats.number(attempts.length)}, last: ${attemptResult(last)}`,
      timeTag(formats, createdAt),
    ];
  };
  return html`<p class="note">${totalNote(formats, page, 'delivery', 'deliveries')}</p>
    ${renderTable({
      caption: 'Deliveries, newest first',
      columns: ['Event', ...(webhooks.length > 0 ? ['Webhook'] : []), 'Status', 'Attempts', 'Time of the event'],
      rows: data.map(row),
    })}
    ${nextPageLink(request, nextCursor)}`;
}
