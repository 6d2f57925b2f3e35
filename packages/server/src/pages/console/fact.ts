import { html, type Child, type Markup } from '../html.ts';

/** One of the facts about a record, for a `dl` of the class `facts`. A long one takes the room of two. */
export function fact(name: Child, value: Child, { isLong = false }: { readonly isLong?: boolean } = {}): Markup {
  return html`<div ${isLong && html`class="long"`}>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
