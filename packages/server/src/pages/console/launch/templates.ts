import { shortened } from '../../../words.ts';
import { html, type Child } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { searchForm } from '../forms/search-form.ts';
import { chosenPage, nextPageLink } from '../next-page.ts';

/** How much of a description is shown, in characters. */
const maximumDescription = 160;

/** The templates of which runs can be launched, with a search by name. */
export async function showTemplates(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, query, formats } = request;
  const name = query.get('search') ?? '';
  const templates = await api.templates.list({
    status: 'PUBLISHED',
    ...chosenPage(request),
    ...(name !== '' && { name }),
  });
  const main = html`${searchForm(request, { name: 'search', label: 'Name contains' })}
    <p class="note">${formats.number(templates.total)} ${templates.total === 1 ? 'template' : 'templates'}</p>
    ${templates.data.length === 0 ? empty(name) : null}
    <ul class="templates">
      ${templates.data.map(
        ({ id, name: text, description }) =>
          html`<li>
            <a href="${consolePaths.launch}/${id}"><bdi>${text}</bdi></a>
            ${description !== null && html`<p class="soft">${shortened(description, maximumDescription)}</p>`}
          </li>`,
      )}
    </ul>
    ${nextPageLink(request, templates.nextCursor)}`;
  return { title: 'Launch a run', section: 'launch', main };
}

function empty(name: string): Child {
  return name === ''
    ? html`<p class="empty">No template is published. Runs can be launched when there is one.</p>`
    : html`<p class="empty">No template has this name. <a href="${consolePaths.launch}">Show all of them</a>.</p>`;
}
