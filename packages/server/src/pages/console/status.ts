import { inWords } from '../../words.ts';
import { html, type Markup } from '../html.ts';

/** The status of a run or a task: a mark, a word and a colour. */
export function statusMark(status: string): Markup {
  return html`<span class="status ${status.toLowerCase().replaceAll('_', '-')}">${inWords(status)}</span>`;
}
