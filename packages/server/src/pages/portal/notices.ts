import { html, type Markup } from '../html.ts';
import type { ShownBlock } from './view.ts';

type Notice = Extract<ShownBlock, { notices: readonly unknown[] }>['notices'][number];

const texts: Readonly<Record<Notice, string>> = {
  TEMPLATE_DELETED: 'A template that this is about was deleted. Its finished runs remain.',
  FOLDER_DELETED: 'A folder that this is about was deleted.',
  IMAGE_DELETED: 'The image was deleted.',
  PERIOD_INVALID: 'The period of this report has not begun, or is too long.',
  OWNERS_HIDDEN: 'A public portal does not show figures by owner.',
};

/** Why a block shows less than its editor intended. */
export function renderNotices(notices: readonly Notice[]): Markup[] {
  return notices.map((notice) => html`<p class="notice">${texts[notice]}</p>`);
}
