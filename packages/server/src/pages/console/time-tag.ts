import { html, type Markup } from '../html.ts';
import type { Formats } from './formats.ts';

/** A time as people read it, and as programs do. */
export function timeTag({ time }: Pick<Formats, 'time'>, timestamp: string): Markup {
  return html`<time datetime="${timestamp}">${time(timestamp)}</time>`;
}
