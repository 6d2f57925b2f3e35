import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Cache, Caches } from '../../caches.ts';
import type { Markup } from '../html.ts';

/** Rendered texts, by what they were rendered from. Pages are rendered every few seconds, and a text takes long. */
export function textCache(caches: Caches): Cache<Markup> {
  return caches.create<Markup>('portalTexts', { sizeOf: ({ length }) => 2 * length });
}

/** The HTML of a Markdown text below a heading of this level. */
export async function renderText(texts: Cache<Markup>, markdown: string, level: number): Promise<Markup> {
  const key = hash('sha256', `${level} ${markdown}`, 'base64');
  return texts.getOrMake(key, async () => {
    const { renderMarkdown } = await import('./render-markdown.ts');
    const text = renderMarkdown(markdown, level);
    // Other requests go on before the next text is rendered.
    await setImmediate();
    return text;
  });
}
