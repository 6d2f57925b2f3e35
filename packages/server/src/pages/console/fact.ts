import { html, type Child, type Markup } from '../html.ts';

/** One of the facts about a record, for a `dl` of the class `facts`. */
export function fact(name: string, value: Child): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
