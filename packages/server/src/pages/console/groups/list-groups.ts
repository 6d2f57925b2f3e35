import { contract } from '@runward/contract';
import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { nameForm, nameOnly } from '../forms/one-name.ts';
import { unlessRejected, type Rejection } from '../forms/unless-rejected.ts';
import { chosenPage, nextPageLink } from '../next-page.ts';
import { renderTable } from '../table.ts';
import { timeTag } from '../time-tag.ts';

/** The groups of the organization by name. */
export async function listGroups(request: ConsoleRequest, { errors = [] }: Rejection = {}): Promise<ConsoleView> {
  const { api, formats } = request;
  const { data, nextCursor } = await api.groups.list(chosenPage(request));
  const main = html`<p class="lead">Tasks can be assigned to a group. Any of its members can take them.</p>
    ${
      data.length === 0
        ? html`<p class="empty">There is no group yet. Create one for each team, then add its members.</p>`
        : html`${renderTable({
              caption: 'Groups',
              columns: ['Name', 'Members', 'Created'],
              rows: data.map(({ id, name, memberIds, createdAt }) => [
                html`<a href="${consolePaths.groups}/${id}"><bdi>${name}</bdi></a>`,
                formats.number(memberIds.length),
                timeTag(formats, createdAt),
              ]),
            })}
            ${nextPageLink(request, nextCursor)}
            <p class="note">Times are in ${formats.timeZone}.</p>`
    }
    <section aria-labelledby="new">
      <h2 id="new">New group</h2>
      ${nameForm(request, { path: consolePaths.groups, button: 'Create the group', errors })}
    </section>`;
  return { title: 'Groups', section: 'groups', errors, main };
}

/** Creates a group without members, and shows it. */
export async function createGroup(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const create = async () => {
    const body = { name: request.form.get('name') ?? '' };
    const { id } = await call(request.api, contract.groups.create, { body });
    return `${consolePaths.groups}/${id}`;
  };
  return unlessRejected(request, create, listGroups, nameOnly);
}
