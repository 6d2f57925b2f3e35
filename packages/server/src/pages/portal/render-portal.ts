import type { Cache } from '../../caches.ts';
import { shortTimes } from '../../short-times.ts';
import { html, type Markup } from '../html.ts';
import type { PageRequest } from '../page.ts';
import { portalsPath } from '../paths.ts';
import { renderBlocks } from './render-blocks.ts';
import type { ShownBlock, View } from './view.ts';

/** The parts of a page of a portal that are the same for all its readers. */
export interface RenderedPortal {
  readonly title: string;
  readonly header: Markup;
  readonly main: Markup;
  readonly footer: Markup;
  /** The origins of its images, besides this service. */
  readonly imageOrigins: readonly string[];
}

/** Renders the page of a view that has blocks. Rendered texts are kept in the cache. */
export async function renderPortal(
  { name, slug, description, timeZone, pages }: View,
  { now, baseUrl }: Pick<PageRequest, 'now' | 'baseUrl'>,
  texts: Cache<Markup>,
): Promise<RenderedPortal> {
  const shown = pages.find(({ blocks }) => blocks !== null);
  const blocks = (shown?.blocks ?? []).map((block) => withLocalImage(block, baseUrl));
  const home = `${portalsPath}/${slug}`;
  const at = now.toISOString();
  return {
    title: shown && shown !== pages[0] ? `${shown.title} – ${name}` : name,
    header: html`<p class="name"><a href="${home}">${name}</a></p>
      ${pages.length > 1 && menu(home, pages, shown)}`,
    main: html`<h1>${shown?.title ?? name}</h1>
      ${shown === pages[0] && description && html`<p class="lead">${description}</p>`}
      ${!shown && html`<p class="note">This portal has no pages yet.</p>`}
      ${await renderBlocks(blocks, timeZone, texts)}`,
    footer: html`<p>
      As of <time datetime="${at}">${shortTimes(timeZone).short(at)}</time>. Times are in the time zone ${timeZone}.
    </p>`,
    imageOrigins: [...new Set(blocks.flatMap(originOf))],
  };
}

function menu(home: string, pages: View['pages'], shown: View['pages'][number] | undefined): Markup {
  return html`<nav aria-label="Pages">
    <ul>
      ${pages.map(
        (page) =>
          html`<li>
            <a href="${home}/${page.slug}" ${page === shown && html`aria-current="page"`}>${page.title}</a>
          </li>`,
      )}
    </ul>
  </nav>`;
}

/** An image of this service is named by its path, so that it is shown whatever name the service was reached by. */
function withLocalImage(block: ShownBlock, baseUrl: string): ShownBlock {
  if (block.type !== 'IMAGE' || !block.url?.startsWith(`${baseUrl}/`)) return block;
  return { ...block, url: block.url.slice(baseUrl.length) };
}

function originOf(block: ShownBlock): string[] {
  return block.type === 'IMAGE' && block.url && !block.url.startsWith('/') ? [new URL(block.url).origin] : [];
}
