import { localTime } from '../../../calendar.ts';
import { html, type Markup } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { rejectedFields, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import type { FormError } from '../forms/form-errors.ts';
import { periodFields, readPeriod, renderPeriod } from './period.ts';
import { webhookCrumbs } from './webhook-crumbs.ts';
import { webhookPath } from './webhook-path.ts';

const dayMs = 86_400_000;

/** Asks whether to send the failed deliveries of a period again, by default of the last day, and counts them first. */
export async function askForReplay(request: ConsoleRequest): Promise<ConsoleView> {
  const { now, formats, query } = request;
  const yesterday = localTime(new Date(now.getTime() - dayMs).toISOString(), formats.timeZone);
  const period = query.has('from') ? query : new URLSearchParams({ from: yesterday });
  return question(request, period, await send(request, period, true));
}

/** Sends the failed deliveries of a period again. Asks again if their number has changed since the question. */
export async function replay(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { params, form } = request;
  const count = await send(request, form, true);
  if (count !== Number(form.get('count'))) return question(request, form, count);
  const sent = await send(request, form, false);
  if (typeof sent !== 'number') return question(request, form, sent);
  return { redirectTo: `${webhookPath(params['id'] ?? '')}?notice=replayed` };
}

/** How many deliveries are sent again, or would be in a dry run; or what is wrong with the period. */
async function send(
  { api, params, formats }: ConsoleRequest,
  period: URLSearchParams,
  dryRun: boolean,
): Promise<number | readonly FormError[]> {
  const { from, to, errors } = readPeriod(period, formats);
  if (errors.length > 0) return errors;
  if (from === undefined) return [{ fieldId: 'from', message: 'From: enter since when deliveries have failed' }];
  try {
    return (await api.webhooks.replay(params['id'] ?? '', { from, to, dryRun })).count;
  } catch (error) {
    return rejectedFields(error, periodFields);
  }
}

async function question(
  request: ConsoleRequest,
  period: URLSearchParams,
  result: number | readonly FormError[],
): Promise<ConsoleView> {
  const { api, params, path, formats } = request;
  const webhook = await api.webhooks.get(params['id'] ?? '');
  const errors = typeof result === 'number' ? [] : result;
  const main = html`${webhookCrumbs(webhook)}
    <form class="travel" method="get" action="${path}">
      ${renderPeriod(period, errors)}
      <button type="submit" class="quiet">Count</button>
    </form>
    <p class="note">The time of the event counts, in ${formats.timeZone}. Leave the second empty to count until now.</p>
    ${typeof result === 'number' && confirmation(request, period, result)}`;
  return { title: 'Replay the failed deliveries?', section: 'webhooks', errors, main };
}

function confirmation({ path, csrf, formats }: ConsoleRequest, period: URLSearchParams, count: number): Markup {
  if (count === 0) return html`<p class="empty">No delivery of this period has failed. Choose an earlier time.</p>`;
  const deliveries = `${formats.number(count)} failed ${count === 1 ? 'delivery' : 'deliveries'}`;
  return html`<p>
      ${deliveries} of this period will be sent again, with the same ids, at fewer than 20 per second. A receiver that
      has handled some of them gets these once more.
    </p>
    <form class="actions" method="post" action="${path}">
      ${csrf}
      ${['from', 'to'].map((name) => html`<input type="hidden" name="${name}" value="${period.get(name) ?? ''}" />`)}
      <input type="hidden" name="count" value="${count}" />
      <button type="submit">Replay ${deliveries}</button>
    </form>`;
}
