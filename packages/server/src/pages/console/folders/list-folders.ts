import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { nameForm, nameOnly } from '../forms/one-name.ts';
import { unlessRejected, type Rejection } from '../forms/unless-rejected.ts';
import { chosenPage, nextPageLink } from '../next-page.ts';
import { renderTable } from '../table.ts';
import { timeTag } from '../time-tag.ts';

/** The folders of templates by name. */
export async function listFolders(request: ConsoleRequest, { errors = [] }: Rejection = {}): Promise<ConsoleView> {
  const { api, formats } = request;
  const { data, nextCursor } = await api.folders.list(chosenPage(request));
  const main = html`<p class="lead">
      Folders keep templates in order. Lists of runs, and API keys, can be limited to a folder.
    </p>
    ${
      data.length === 0
        ? html`<p class="empty">There is no folder yet. Create one, then move templates into it.</p>`
        : html`${renderTable({
              caption: 'Folders',
              columns: ['Name', 'Templates', 'Created'],
              rows: data.map(({ id, name, templateCount, createdAt }) => [
                html`<a href="${consolePaths.folders}/${id}"><bdi>${name}</bdi></a>`,
                formats.number(templateCount),
                timeTag(formats, createdAt),
              ]),
            })}
            ${nextPageLink(request, nextCursor)}
            <p class="note">Times are in ${formats.timeZone}.</p>`
    }
    <section aria-labelledby="new">
      <h2 id="new">New folder</h2>
      ${nameForm(request, { path: consolePaths.folders, button: 'Create the folder', errors })}
    </section>`;
  return { title: 'Folders', section: 'folders', errors, main };
}

/** Creates an empty folder, and shows it. */
export async function createFolder(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const create = async () => {
    const { id } = await request.api.folders.create({ name: request.form.get('name') ?? '' });
    return `${consolePaths.folders}/${id}`;
  };
  return unlessRejected(request, create, listFolders, nameOnly);
}
