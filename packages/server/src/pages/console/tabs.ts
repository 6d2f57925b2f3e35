import { html, type Markup } from '../html.ts';
import type { Formats } from './formats.ts';

/** A part of a list, with how many records it has. */
interface Tab {
  readonly href: string;
  readonly text: string;
  readonly count: number;
  readonly isCurrent: boolean;
}

/** The ways to the parts of a list. `label` says what they have in common. */
export function renderTabs({ number }: Formats, label: string, tabs: readonly Tab[]): Markup {
  return html`<nav class="tabs" aria-label="${label}">
    <ul>
      ${tabs.map(
        ({ href, text, count, isCurrent }) =>
          html`<li>
            <a href="${href}" ${isCurrent && html`aria-current="page"`}
              >${text} <span class="count">${number(count)}</span></a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}
