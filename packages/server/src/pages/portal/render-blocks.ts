import type { Cache } from '../../caches.ts';
import { html, type Child, type Markup } from '../html.ts';
import { heading, type Place } from './heading.ts';
import { isOneFigure, renderReport } from './render-report.ts';
import { renderRunList } from './render-run-list.ts';
import { renderText } from './render-text.ts';
import type { ShownBlock } from './view.ts';

/**
 * Renders blocks in order. The title of the page is the heading above them. Reports of one figure that follow each
 * other are side by side.
 */
export async function renderBlocks(
  blocks: readonly ShownBlock[],
  timeZone: string,
  texts: Cache<Markup>,
): Promise<Child[]> {
  const rendered: Child[] = [];
  let figures: Markup[] = [];
  const endFigures = () => {
    if (figures.length > 0) rendered.push(html`<div class="figures">${figures}</div>`);
    figures = [];
  };
  let above = 1;
  for (const [index, block] of blocks.entries()) {
    const place = { id: `block-${index + 1}`, level: Math.min(above + 1, 6), timeZone };
    if (isOneFigure(block)) {
      figures.push(renderReport(block, place));
      continue;
    }
    endFigures();
    if (block.type === 'HEADING') {
      // Readers that list headings get an outline without gaps; the size is what the editor chose.
      above = Math.min(block.level + 1, above + 1);
      rendered.push(heading(above, html`${block.text}`, `size-${block.level}`));
    } else {
      rendered.push(await renderBlock(block, place, texts));
    }
  }
  endFigures();
  return rendered;
}

async function renderBlock(
  block: Exclude<ShownBlock, { type: 'HEADING' }>,
  place: Place,
  texts: Cache<Markup>,
): Promise<Markup | null> {
  switch (block.type) {
    case 'TEXT':
      return html`<div class="text">${await renderText(texts, block.markdown, place.level)}</div>`;
    case 'IMAGE':
      return renderImage(block);
    case 'LINK':
      return html`<p class="link"><a href="${block.url}">${block.label}</a></p>`;
    case 'DIVIDER':
      return html`<hr />`;
    case 'RUN_LIST':
      return renderRunList(block, place);
    case 'REPORT':
      return renderReport(block, place);
  }
}

/** A deleted image is left out of the page. The API tells editors about it. */
function renderImage({ url, alt, width, height }: Extract<ShownBlock, { type: 'IMAGE' }>): Markup | null {
  if (url === null) return null;
  return html`<p class="image">
    <img src="${url}" alt="${alt}" width="${width}" height="${height}" loading="lazy" />
  </p>`;
}
