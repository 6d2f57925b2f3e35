import { isAdministrator } from '@runward/contract';
import { attentionDays, contract, maximumAttention } from '@runward/contract';
import type { RunPage } from '@runward/sdk';
import { html, type Child, type Markup } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { timeTag } from '../time-tag.ts';

/** How many findings of a kind are shown. */
const shown = 5;

/** Days without activity after which a run is stalled, as in analytics. */
const stalledForDays = 7;

/** What needs attention: one kind of it. */
interface Kind {
  readonly id: string;
  readonly title: string;
  /** What to do about it. */
  readonly advice: string;
  readonly count: number;
  /** Whether there can be more than `count`. */
  readonly isLimit?: boolean;
  readonly findings: readonly Child[];
  /** Where all of them are, unless they all are here. */
  readonly all?: string;
}

/** What needs the attention of an owner or admin. Other members are led to their tasks. */
export async function showOverview(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { visitor, formats } = request;
  if (!isAdministrator(visitor.actor.role)) return { redirectTo: consolePaths.tasks };
  const kinds = (await findKinds(request)).filter(({ count }) => count > 0);
  const main =
    kinds.length === 0
      ? empty()
      : html`<div class="overview">${kinds.map((kind) => section(request, kind))}</div>
          <p class="note">Times are in ${formats.timeZone}.</p>`;
  return { title: 'Overview', section: 'overview', main };
}

async function findKinds(request: ConsoleRequest): Promise<Kind[]> {
  const { api, formats } = request;
  const [overdue, stalled, webhooks, { failedRulesSyncs, failedDeliveries, infectedFiles }] = await Promise.all([
    api.runs.list({ status: 'OVERDUE', limit: shown, total: 'bounded' }),
    api.runs.list({ status: 'RUNNING', stalledForDays, limit: shown, total: 'bounded' }),
    api.webhooks.list(),
    call(api, contract.attention.get),
  ]);
  const disabled = webhooks.data.filter(({ disabledAt }) => disabledAt !== null);
  const at = (timestamp: string) => timeTag(formats, timestamp);
  return [
    {
      ...ofRuns(request, overdue),
      id: 'overdue',
      title: 'Overdue runs',
      advice: 'A task is past its deadline. Complete it, assign it to someone else, or move the deadline.',
      all: `${consolePaths.runs}?statuses=OVERDUE`,
    },
    {
      ...ofRuns(request, stalled),
      id: 'stalled',
      title: 'Stalled runs',
      advice: `Nobody has worked on them for ${stalledForDays} days. Ask who has their tasks, or cancel them.`,
      all: `${consolePaths.runs}?statuses=RUNNING&stalledForDays=${stalledForDays}`,
    },
    {
      id: 'rules',
      title: 'Templates with a failed rule sync',
      advice: 'Runs have kept the rules of an earlier version. Migrate them, or publish another version.',
      ...limited(failedRulesSyncs),
      findings: failedRulesSyncs.newest.map(({ templateName, runId, message, finishedAt }) =>
        finding(`${consolePaths.runs}/${runId}`, templateName, html`${message} ${at(finishedAt)}`),
      ),
    },
    {
      id: 'webhooks',
      title: 'Disabled webhooks',
      advice: 'The service has disabled them; their deliveries wait. Mend the receiver, then enable the webhook.',
      count: disabled.length,
      findings: disabled.map(({ id, name, disabledReason, disabledAt }) =>
        finding(
          `${consolePaths.webhooks}/${id}`,
          name,
          html`${disabledReason} ${disabledAt !== null && at(disabledAt)}`,
        ),
      ),
      all: consolePaths.webhooks,
    },
    {
      id: 'deliveries',
      title: 'Failed deliveries',
      advice: `No attempt follows. Mend the receiver, then send them again. Those of the last ${attentionDays} days are counted.`,
      ...limited(failedDeliveries),
      findings: failedDeliveries.newest.map(({ id, webhookId, webhookName, event, createdAt }) =>
        finding(
          `${consolePaths.webhooks}/${webhookId}/deliveries/${id}`,
          webhookName,
          html`<code>${event}</code> ${at(createdAt)}`,
        ),
      ),
      all: `${consolePaths.webhooks}/deliveries?status=FAILED`,
    },
    {
      id: 'files',
      title: 'Infected files',
      advice: `They were removed from their fields. Ask for another file. Those of the last ${attentionDays} days are counted.`,
      ...limited(infectedFiles),
      findings: infectedFiles.newest.map(({ fileName, signature, runId, runTitle, scannedAt }) =>
        finding(
          `${consolePaths.runs}/${runId}`,
          fileName,
          html`${signature}, in <bdi>${runTitle}</bdi>, ${at(scannedAt)}`,
        ),
      ),
    },
  ];
}

function limited({ count }: { readonly count: number }): Pick<Kind, 'count' | 'isLimit'> {
  return { count, isLimit: count === maximumAttention };
}

function ofRuns(
  { formats }: ConsoleRequest,
  { data, total, totalIsExact }: RunPage,
): Pick<Kind, 'count' | 'isLimit' | 'findings'> {
  return {
    count: total,
    isLimit: totalIsExact === false,
    findings: data.map(({ id, title, publicId, createdAt }) =>
      finding(`${consolePaths.runs}/${id}`, title, html`${publicId}, started ${timeTag(formats, createdAt)}`),
    ),
  };
}

function finding(href: string, name: string, detail: Markup): Markup {
  return html`<a href="${href}"><bdi>${name}</bdi></a> <span class="soft">${detail}</span>`;
}

function section(
  { formats }: ConsoleRequest,
  { id, title, advice, count, isLimit = false, findings, all }: Kind,
): Markup {
  const number = `${formats.number(count)}${isLimit ? '+' : ''}`;
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title} <span class="count">${number}</span></h2>
    <p class="note">${advice}</p>
    <ul class="plain">
      ${findings.slice(0, shown).map((each) => html`<li>${each}</li>`)}
    </ul>
    ${all !== undefined && (count > shown || isLimit) && html`<p><a href="${all}">Show all ${number}</a></p>`}
  </section>`;
}

function empty(): Markup {
  return html`<p class="empty">
    Nothing needs attention. See <a href="${consolePaths.tasks}">your tasks</a> or
    <a href="${consolePaths.runs}">all runs</a>, or <a href="${consolePaths.launch}">launch a run</a>.
  </p>`;
}
