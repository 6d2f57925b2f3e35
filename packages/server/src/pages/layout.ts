import { assetPath } from './assets.ts';
import { html, type Child, type Markup } from './html.ts';
import type { Visitor } from './page.ts';
import { consolePaths, portalsPath, signOutPath } from './paths.ts';

/** What differs between pages. */
export interface Layout {
  readonly title: string;
  /** What the page belongs to, such as the name of a portal, with the ways to its parts. */
  readonly header: Child;
  readonly main: Child;
  readonly footer?: Child;
  /** The member who is offered to sign out. */
  readonly visitor?: Visitor | null;
  /** Pages of the console are wider, and lead to it. Default: `plain`. */
  readonly kind?: 'plain' | 'console';
  /** What else the head of the page contains. */
  readonly head?: Child;
  /** Whether search engines may list the page. */
  readonly isListed?: boolean;
}

/** A whole page. */
export function layout({
  title,
  header,
  main,
  footer,
  visitor,
  kind = 'plain',
  head,
  isListed = false,
}: Layout): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${!isListed && html`<meta name="robots" content="noindex" />`}
        <title>${title}</title>
        <link rel="stylesheet" href="${assetPath('pages.css')}" />
        <link rel="preload" as="font" type="font/woff2" href="${assetPath('inter-latin.woff2')}" crossorigin />
        <link rel="icon" type="image/svg+xml" href="${assetPath('icon.svg')}" />
        ${head}
      </head>
      <body class="${kind}">
        <a class="skip" href="#main">Skip to content</a>
        <header>
          <div class="bar">${header}${visitor && account(visitor, kind)}</div>
        </header>
        <main id="main" tabindex="-1">${main}</main>
        ${footer && html`<footer>${footer}</footer>`}
      </body>
    </html>`;
}

function account({ name, csrfToken }: Visitor, kind: Layout['kind']): Markup {
  return html`<form class="account" method="post" action="${signOutPath}">
    <input type="hidden" name="csrf" value="${csrfToken}" />
    <span>${name}</span>
    ${kind !== 'console' && html`<a href="${consolePaths.home}">Console</a>`}
    <a href="${portalsPath}">Portals</a>
    <button type="submit" class="quiet">Sign out</button>
  </form>`;
}
