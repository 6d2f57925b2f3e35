import { html } from './html.ts';
import { layout, type Layout } from './layout.ts';
import type { HtmlPage } from './page.ts';

/** What differs between these pages. The title is also the heading, which `main` follows. */
interface PlainPage extends Pick<Layout, 'title' | 'main' | 'visitor' | 'head'>, Omit<HtmlPage, 'html' | 'status'> {
  /** Whether a form is shown again because of a problem. The title then begins with "Error: ", the heading does not. */
  readonly hasProblem?: boolean;
  /** Default: 200. */
  readonly status?: number;
}

/** A page outside of the console and of portals, under the name of the service. */
export function plainPage({
  title,
  hasProblem = false,
  main,
  visitor = null,
  head = null,
  status = 200,
  ...page
}: PlainPage): HtmlPage {
  const content = layout({
    title: hasProblem ? `Error: ${title}` : title,
    header: html`<p class="name">Runward</p>`,
    main: html`<h1>${title}</h1>
      ${main}`,
    visitor,
    head,
  });
  return { ...page, status, html: content };
}
