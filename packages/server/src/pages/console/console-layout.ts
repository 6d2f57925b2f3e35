import { contract } from '@runward/contract';
import { assetPath } from '../assets.ts';
import { html, type Markup } from '../html.ts';
import { layout } from '../layout.ts';
import type { Visitor } from '../page.ts';
import { consolePaths } from '../paths.ts';
import type { ConsoleView } from './console-page.ts';
import { errorSummary } from './forms/form-errors.ts';
import { may } from './may.ts';
import { noticeNamed } from './notices.ts';
import { besideSettings, isSettingsPart, settingsFor, type SettingsPart } from './settings.ts';

/** The part of the console to which a page belongs; null for none of them. */
export type ConsoleSection = 'overview' | 'tasks' | 'runs' | 'launch' | SettingsPart | null;

/** A whole page of the console. */
export function consoleLayout({
  title,
  errors = [],
  hasProblem = errors.length > 0,
  section,
  main,
  visitor,
  query,
}: Omit<ConsoleView, 'status'> & { readonly visitor: Visitor; readonly query: URLSearchParams }): Markup {
  const text = noticeNamed(query.get('notice') ?? '');
  const [settings] = settingsFor(visitor);
  const content = html`${errorSummary(errors)} ${main}`;
  return layout({
    title: hasProblem ? `Error: ${title}` : title,
    kind: 'console',
    head: scripts(section),
    header: html`<p class="name"><a href="${consolePaths.home}">Runward</a></p>
      <nav aria-label="Console">
        <ul>
          ${may(visitor, contract.attention.get) && link(consolePaths.home, 'Overview', section === 'overview')}
          ${link(consolePaths.tasks, 'Tasks', section === 'tasks')}
          ${may(visitor, contract.runs.list) && link(consolePaths.runs, 'Runs', section === 'runs')}
          ${may(visitor, contract.runs.launch) && link(consolePaths.launch, 'Launch', section === 'launch')}
          ${settings && link(consolePaths[settings], 'Settings', isSettingsPart(section))}
        </ul>
      </nav>
      ${may(visitor, contract.runs.list) && searchField(query)}`,
    main: html`${text !== undefined && html`<p class="done" role="status">${text}</p>`}
      <h1>${title}</h1>
      ${isSettingsPart(section) ? besideSettings(visitor, section, content) : content} ${shortcuts()}`,
    visitor,
  });
}

function searchField(query: URLSearchParams): Markup {
  return html`<form class="find" method="get" action="${consolePaths.search}" role="search" aria-label="Console">
    <label for="find" class="only-read">Runs, templates and members</label>
    <input id="find" name="q" type="search" maxlength="255" value="${query.get('q') ?? ''}" placeholder="Search" />
    <button type="submit" class="quiet">Search</button>
  </form>`;
}

/** They only make easier what works without them. What htmx would run as code is blocked by the policy of the page. */
function scripts(section: ConsoleSection): Markup {
  return html`<meta
      name="htmx-config"
      content='{"history": false, "includeIndicatorCSS": false, "defaultTimeout": 20000}'
    />
    <script src="${assetPath('htmx.js')}" defer></script>
    <script type="module" src="${assetPath('console.js')}"></script>
    ${section === 'tasks' && html`<script type="module" src="${assetPath('task.js')}"></script>`}`;
}

function shortcuts(): Markup {
  return html`<dialog id="shortcuts" aria-labelledby="shortcuts-title">
    <h2 id="shortcuts-title">Keyboard</h2>
    <dl class="facts">
      <div>
        <dt><kbd>/</kbd></dt>
        <dd>Search</dd>
      </div>
      <div>
        <dt><kbd>j</kbd> <kbd>k</kbd></dt>
        <dd>Next, previous in a list</dd>
      </div>
      <div>
        <dt><kbd>Enter</kbd></dt>
        <dd>Open it</dd>
      </div>
    </dl>
    <form method="dialog"><button class="quiet">Close</button></form>
  </dialog>`;
}

function link(href: string, text: string, isCurrent: boolean): Markup {
  return html`<li>
    <a href="${href}" ${isCurrent && html`aria-current="page"`}>${text}</a>
  </li>`;
}
