import { html, type Markup } from '../html.ts';
import { heading, type Place } from './heading.ts';
import { renderReport } from './render-report.ts';
import { renderRunList } from './render-run-list.ts';
import type { ShownBlock } from './view.ts';

/** Renders blocks in order. The title of the page is the heading above them. */
export async function renderBlocks(blocks: readonly ShownBlock[], timeZone: string): Promise<Markup[]> {
  const rendered: Markup[] = [];
  let above = 1;
  for (const [index, block] of blocks.entries()) {
    const place = { id: `block-${index + 1}`, level: Math.min(above + 1, 6), timeZone };
    if (block.type === 'HEADING') {
      // Readers that list headings get an outline without gaps; the size is what the editor chose.
      above = Math.min(block.level + 1, above + 1);
      rendered.push(heading(above, html`${block.text}`, `size-${block.level}`));
    } else {
      rendered.push(await renderBlock(block, place));
    }
  }
  return rendered;
}

async function renderBlock(block: Exclude<ShownBlock, { type: 'HEADING' }>, place: Place): Promise<Markup> {
  switch (block.type) {
    case 'TEXT': {
      const { renderMarkdown } = await import('./render-markdown.ts');
      return html`<div class="text">${renderMarkdown(block.markdown, place.level)}</div>`;
    }
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

function renderImage({ url, alt, width, height }: Extract<ShownBlock, { type: 'IMAGE' }>): Markup {
  if (url === null) return html`<p class="notice">The image was deleted${alt !== '' && html`: ${alt}`}.</p>`;
  return html`<p class="image">
    <img src="${url}" alt="${alt}" width="${width}" height="${height}" loading="lazy" />
  </p>`;
}
