import type { Total } from '@runward/contract';
import { html, type Child, type Markup } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { searchMembers } from '../people.ts';
import { statusMark } from '../status.ts';

/** How many results of a kind are shown. */
const shown = 10;

/** Results of one kind. */
interface Results {
  readonly id: string;
  readonly title: string;
  readonly total: Total;
  readonly items: readonly Markup[];
  /** Where all of them are. */
  readonly all: string;
}

/** Runs, templates and members whose names contain the text of the header. The public id of a run leads to it. */
export async function showSearch(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, query } = request;
  const text = query.get('q')?.trim() ?? '';
  if (text === '') return { title: 'Search', section: null, main: start() };
  if (/^RUN-[0-9A-Z]{1,20}$/i.test(text)) {
    const [run] = (await api.runs.list({ publicId: text })).data;
    if (run) return { redirectTo: `${consolePaths.runs}/${run.id}` };
  }
  const found = (await find(request, text)).filter(({ items }) => items.length > 0);
  const main = found.length === 0 ? empty(text) : found.map((results) => section(request, results));
  return { title: `Search for “${text}”`, section: null, main };
}

async function find({ api, query }: ConsoleRequest, text: string): Promise<Results[]> {
  const [runs, templates, members] = await Promise.all([
    api.runs.list({ search: text, limit: shown, total: 'bounded' }),
    api.templates.list({ name: text, status: 'PUBLISHED', limit: shown }),
    searchMembers(api, text),
  ]);
  const listed = query.get('members') === 'all' ? members : members.slice(0, shown);
  return [
    {
      id: 'runs',
      title: 'Runs',
      total: runs,
      items: runs.data.map(
        ({ id, title, publicId, status }) =>
          html`${link(`${consolePaths.runs}/${id}`, title)}
            <span class="soft">${publicId}</span> ${statusMark(status)}`,
      ),
      all: pathOf(consolePaths.runs, { search: text }),
    },
    {
      id: 'templates',
      title: 'Templates to launch',
      total: templates,
      items: templates.data.map(({ id, name }) => link(`${consolePaths.launch}/${id}`, name)),
      all: pathOf(consolePaths.launch, { search: text }),
    },
    {
      id: 'members',
      title: 'Members and their runs',
      total: { total: members.length },
      items: listed.map(
        ({ id, name, email }) =>
          html`${link(pathOf(consolePaths.runs, { ownerUserIds: id }), name)} <span class="soft">${email}</span>`,
      ),
      all: pathOf(consolePaths.search, { q: text, members: 'all' }),
    },
  ];
}

function pathOf(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(query).toString()}`;
}

function link(href: string, text: string): Markup {
  return html`<a href="${href}"><bdi>${text}</bdi></a>`;
}

function section({ formats }: ConsoleRequest, { id, title, total, items, all }: Results): Child {
  const number = formats.total(total);
  const isExact = total.totalIsExact !== false;
  return html`<section class="results" aria-labelledby="${id}">
    <h2 id="${id}">${title} <span class="count">${number}</span></h2>
    <ul class="plain">
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>
    ${
      (items.length < total.total || !isExact) &&
      html`<p><a href="${all}">Show all${isExact && html` ${number}`}</a></p>`
    }
  </section>`;
}

function start(): Markup {
  return html`<p class="empty">
    Enter a part of the title of a run, of the name of a template, or of the name or email address of a member. A
    <code>RUN-</code> id leads to its run.
  </p>`;
}

function empty(text: string): Markup {
  return html`<p class="empty">
    No run, template or member has this in its name. Check the spelling, or search
    <a href="${pathOf(consolePaths.runs, { search: text, archived: 'true' })}">among the archived runs</a>.
  </p>`;
}
