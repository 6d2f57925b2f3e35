import { contract, type Endpoint } from '@runward/contract';
import { html, type Child, type Markup } from '../html.ts';
import type { Visitor } from '../page.ts';
import { consolePaths } from '../paths.ts';
import { may } from './may.ts';

interface Part {
  readonly text: string;
  /** Who may call it may open the part. */
  readonly endpoint: Endpoint;
}

/** The parts of the settings, in the order in which they are listed. */
const parts = {
  account: { text: 'Your account', endpoint: contract.auth.sessions },
  organization: { text: 'Organization', endpoint: contract.organization.get },
  members: { text: 'Members', endpoint: contract.users.create },
  groups: { text: 'Groups', endpoint: contract.groups.create },
  folders: { text: 'Folders', endpoint: contract.folders.list },
  keys: { text: 'API keys', endpoint: contract.apiKeys.list },
  webhooks: { text: 'Webhooks', endpoint: contract.webhooks.list },
  mails: { text: 'Mails', endpoint: contract.mails.list },
  auditLog: { text: 'Audit log', endpoint: contract.auditLog.list },
  secret: { text: 'Signing secret', endpoint: contract.organization.signingSecret },
} as const satisfies Readonly<Record<string, Part>>;

/** A part of the settings. */
export type SettingsPart = keyof typeof parts;

/** Whether a page of the console is one of the settings. */
export function isSettingsPart(section: string | null): section is SettingsPart {
  return section !== null && Object.hasOwn(parts, section);
}

/** The parts of the settings that a member may open. */
export function settingsFor(visitor: Visitor): SettingsPart[] {
  const all: [SettingsPart, Part][] = Object.entries(parts) as [SettingsPart, Part][];
  return all.filter(([, { endpoint }]) => may(visitor, endpoint)).map(([name]) => name);
}

/** A page of the settings, beside the ways to all parts that the member may open. */
export function besideSettings(visitor: Visitor, current: SettingsPart, main: Child): Markup {
  return html`<div class="settings">
    <nav aria-label="Settings">
      <ul>
        ${settingsFor(visitor).map(
          (part) =>
            html`<li>
              <a href="${consolePaths[part]}" ${part === current && html`aria-current="page"`}>${parts[part].text}</a>
            </li>`,
        )}
      </ul>
    </nav>
    <div>${main}</div>
  </div>`;
}
