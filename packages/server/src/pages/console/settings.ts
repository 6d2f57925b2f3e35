import { html, type Child, type Markup } from '../html.ts';
import type { Visitor } from '../page.ts';
import { consolePaths } from '../paths.ts';

interface Part {
  readonly text: string;
  /** Whether members who are not owners or admins may open it, too. */
  readonly isForMembers?: boolean;
}

/** The parts of the settings, in the order in which they are listed. */
const parts = {
  account: { text: 'Your account', isForMembers: true },
  organization: { text: 'Organization' },
  members: { text: 'Members' },
  groups: { text: 'Groups' },
  folders: { text: 'Folders', isForMembers: true },
  keys: { text: 'API keys' },
  webhooks: { text: 'Webhooks', isForMembers: true },
  mails: { text: 'Mails' },
  auditLog: { text: 'Audit log' },
  secret: { text: 'Signing secret' },
} as const satisfies Readonly<Record<string, Part>>;

/** A part of the settings. */
export type SettingsPart = keyof typeof parts;

/** Whether a page of the console is one of the settings. */
export function isSettingsPart(section: string | null): section is SettingsPart {
  return section !== null && Object.hasOwn(parts, section);
}

/** The parts of the settings that a member may open. */
export function settingsFor({ actor }: Visitor): SettingsPart[] {
  const all: [SettingsPart, Part][] = Object.entries(parts) as [SettingsPart, Part][];
  return all.filter(([, { isForMembers = false }]) => isForMembers || actor.role !== 'MEMBER').map(([name]) => name);
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
