import { contract, plans, type Capability, type Response } from '@runward/contract';
import { hasCapability, plansWith } from '../../../access/plan.ts';
import { rowLimits } from '../../../data-sources/row-limit.ts';
import { inWords } from '../../../words.ts';
import { html, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { fact } from '../fact.ts';

type Plan = Response<typeof contract.organization.get>['plan'];

/** Something that the organization has, how much of it, and where it is listed in the console. */
interface Use {
  readonly name: string;
  readonly count: number;
  readonly path?: string;
}

/** What plans differ in. */
const features: Readonly<Record<Capability, string>> = {
  publicApi: 'API access',
  apiKeys: 'New API keys',
  webhooks: 'Webhooks',
};

/** How much the organization has of what its lists count. */
export async function loadUse(api: ConsoleRequest['api']): Promise<Use[]> {
  const one = { limit: 1 };
  const [users, runs, templates, groups, dataSources, portals, keys, webhooks] = await Promise.all([
    api.users.list(one),
    api.runs.counts(),
    api.templates.list(one),
    api.groups.list(one),
    api.dataSources.list(one),
    api.portals.list(one),
    call(api, contract.apiKeys.list, { query: one }),
    api.webhooks.list(one),
  ]);
  return [
    { name: 'Active members', count: users.total, path: consolePaths.members },
    { name: 'Groups', count: groups.total, path: consolePaths.groups },
    { name: 'Active runs', count: runs.RUNNING + runs.OVERDUE, path: consolePaths.runs },
    { name: 'Templates', count: templates.total },
    { name: 'Data sources', count: dataSources.total },
    { name: 'Portals', count: portals.total },
    { name: 'API keys', count: keys.total, path: consolePaths.keys },
    { name: 'Webhooks', count: webhooks.total },
  ];
}

/** The plan with what it includes, and how much of everything there is. */
export function renderUse({ formats }: ConsoleRequest, plan: Plan, use: readonly Use[]): Markup {
  const all = Object.entries(features) as [Capability, string][];
  return html`<section aria-labelledby="plan">
      <h2 id="plan">Plan: ${inWords(plan)}</h2>
      <ul class="plain">
        ${all.map(
          ([capability, name]) =>
            html`<li>
              ${name}:
              ${hasCapability({ plan }, capability) ? 'included' : `not included; ${inWords(plansWith(capability)[0] ?? '')} and higher`}
            </li>`,
        )}
        <li>Rows in data sources: up to ${formats.number(rowLimits[plan])}</li>
      </ul>
      <p class="note">
        The operator of this service changes the plan. ${plan !== plans.at(-1) && 'Ask them for a higher one.'}
      </p>
    </section>
    <section aria-labelledby="use">
      <h2 id="use">Use</h2>
      <dl class="facts">
        ${use.map(({ name, count, path }) =>
          fact(path === undefined ? name : html`<a href="${path}">${name}</a>`, formats.number(count)),
        )}
      </dl>
    </section>`;
}
