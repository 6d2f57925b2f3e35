import { html, type Markup } from '../html.ts';

/** Lists are not refreshed more often, in seconds. */
const refreshSeconds = 30;

/**
 * Attributes of an element with an id that scripts replace by what its page shows by then, unless somebody is about to
 * use it.
 */
export function refreshed(id: string): Markup {
  return html`id="${id}" hx-get="" hx-trigger="every ${refreshSeconds}s" hx-select="#${id}" hx-swap="outerMorph"`;
}

/** What makes scripts send a form, and what it then does. */
interface Sending {
  /** Where it is sent. */
  readonly to: string;
  readonly on: string;
  /** The button that it stands for. */
  readonly action: string;
  /** The id of the element that is replaced by what the next page shows. What was typed in it stays. */
  readonly replaces: string;
  /** The ids of further elements that are replaced. */
  readonly besides?: readonly string[];
}

/** Attributes of a form, or of a control in it, that make scripts send the form without leaving the page. */
export function sent({ to, on, action, replaces, besides = [] }: Sending): Markup {
  return html`hx-post="${to}" hx-trigger="${on}" hx-vals="${JSON.stringify({ action })}" hx-validate="false"
  hx-sync="queue last" hx-target="#${replaces}" hx-select="#${replaces}" hx-swap="outerMorph"
  ${besides.length > 0 && html`hx-select-oob="${besides.map((id) => `#${id}:outerMorph`).join(',')}"`}`;
}
