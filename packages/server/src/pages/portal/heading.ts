import { html, type Markup } from '../html.ts';

/** Where a block is on its page. */
export interface Place {
  /** Starts the ids of its elements. */
  readonly id: string;
  /** The level of a heading below the last one: 2 to 6. */
  readonly level: number;
  /** In which times are shown. */
  readonly timeZone: string;
}

/** A heading of a level from 2 to 6. */
export function heading(level: number, text: Markup, className: string, id?: string): Markup {
  const attributes = html`class="${className}" ${id !== undefined && html`id="${id}"`}`;
  switch (level) {
    case 2:
      return html`<h2 ${attributes}>${text}</h2>`;
    case 3:
      return html`<h3 ${attributes}>${text}</h3>`;
    case 4:
      return html`<h4 ${attributes}>${text}</h4>`;
    case 5:
      return html`<h5 ${attributes}>${text}</h5>`;
    default:
      return html`<h6 ${attributes}>${text}</h6>`;
  }
}
