import type { Folder, Template } from '@runward/sdk';
import { inWords } from '../../../words.ts';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { nameForm } from '../forms/one-name.ts';
import { searchForm } from '../forms/search-form.ts';
import { namedOptions, select } from '../forms/select.ts';
import type { Rejection } from '../forms/unless-rejected.ts';
import { chosenPage, nextPageLink, pageSize } from '../next-page.ts';
import { renderTable } from '../table.ts';

/** The most folders that templates can be moved to. */
const mostFolders = 200;

/** A folder: its name, its templates, and a search for templates to move into it. */
export async function showFolder(sent: ConsoleRequest, rejection: Rejection = {}): Promise<ConsoleView> {
  const { api, params, query } = sent;
  const id = params['id'] ?? '';
  const search = query.get('search') || undefined;
  const [folder, inside, found, folders] = await Promise.all([
    api.folders.get(id),
    api.templates.list({ folderId: id, ...chosenPage(sent) }),
    search === undefined ? null : api.templates.list({ name: search, limit: pageSize }),
    api.folders.list({ limit: mostFolders }),
  ]);
  const path = `${consolePaths.folders}/${id}`;
  // Links and the search lead to the page, not to where one of its forms was sent.
  const request = { ...sent, path };
  const others = folders.data.filter((each) => each.id !== id);
  const main = html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${consolePaths.folders}">All folders</a></nav>
    ${nameForm(request, { path, value: folder.name, button: 'Rename', errors: rejection.errors ?? [] })}
    <section aria-labelledby="templates">
      <h2 id="templates">Templates <span class="count">${request.formats.number(inside.total)}</span></h2>
      ${
        inside.total === 0
          ? html`<p class="soft">The folder is empty. Search for templates below, and move them here.</p>`
          : templateForm(
              request,
              inside.data,
              html`${select({
                  id: 'to',
                  name: 'to',
                  label: 'Move to',
                  options: namedOptions(others),
                  value: '',
                  none: 'No folder',
                })}<button type="submit" class="quiet">Move the chosen</button>`,
            )
      }
      ${nextPageLink(request, inside.nextCursor)}
    </section>
    <section aria-labelledby="others">
      <h2 id="others">Move templates here</h2>
      ${searchForm(request, { name: 'search', label: 'Name contains' })}
      ${
        found &&
        candidates(
          request,
          found.data.filter(({ folderId }) => folderId !== id),
          folder,
        )
      }
    </section>
    <section aria-labelledby="delete">
      <h2 id="delete">Delete</h2>
      ${
        inside.total === 0
          ? html`<p><a class="button quiet" href="${path}/delete">Delete the folder…</a></p>`
          : html`<p class="soft">Only an empty folder can be deleted. Move its templates elsewhere first.</p>`
      }
    </section>`;
  return { title: folder.name, section: 'folders', main, ...rejection };
}

function candidates(request: ConsoleRequest, templates: readonly Template[], { id }: Folder): Child {
  if (templates.length === 0) return html`<p class="soft">No template outside this folder matches.</p>`;
  const button = html`<input type="hidden" name="to" value="${id}" />
    <button type="submit" class="quiet">Move the chosen here</button>`;
  return templateForm(request, templates, button);
}

/** Templates with a box each, and how to move the chosen ones. */
function templateForm({ csrf, path }: ConsoleRequest, templates: readonly Template[], controls: Markup): Markup {
  return html`<form method="post" action="${path}/templates">
    ${csrf}
    ${renderTable({
      caption: 'Templates',
      columns: ['Name', 'Status'],
      rows: templates.map(({ name, status }) => [html`<bdi>${name}</bdi>`, inWords(status)]),
      choices: { name: 'template', records: templates.map(({ id, name }) => ({ id, label: name })) },
    })}
    <div class="one-field">${controls}</div>
  </form>`;
}
