import type { Template, Webhook } from '@runward/sdk';
import { html, type Child } from '../../html.ts';
import type { ConsoleRequest } from '../console-page.ts';

/** The most templates that a page knows by name; more of them need the API. */
const maximumKnown = 1_000;

/** How many templates of a webhook are named. */
const maximumNamed = 3;

/** Loads the templates that a webhook can be restricted to. */
export async function loadTemplates({ api }: Pick<ConsoleRequest, 'api'>): Promise<Template[]> {
  return api.templates.list().toArray({ limit: maximumKnown });
}

/** The templates whose events a webhook receives, as a short text. */
export function templatesOf({ templateMode, templateIds }: Webhook, templates: readonly Template[]): Child {
  if (templateMode === 'ALL_FLOWS') return 'All';
  const names = templates.filter(({ id }) => templateIds.includes(id)).map(({ name }) => name);
  const named = names.slice(0, maximumNamed);
  const others = templateIds.length - named.length;
  return html`<bdi>${named.join(', ')}</bdi
    >${others > 0 && (named.length > 0 ? ` and ${others} more` : String(others))}`;
}
