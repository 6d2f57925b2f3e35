import { contract } from '@runward/contract';
import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { formErrors, type FormError } from '../forms/form-errors.ts';
import { nameForm, nameOnly } from '../forms/one-name.ts';
import { nextPageLink, pageSize } from '../next-page.ts';
import { renderTable } from '../table.ts';
import { timeTag } from '../time-tag.ts';

/** The groups of the organization by name. */
export async function listGroups(request: ConsoleRequest): Promise<ConsoleView> {
  return list(request, []);
}

/** Creates a group without members, and shows it. */
export async function createGroup(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  try {
    const body = { name: request.form.get('name') ?? '' };
    const { id } = await call(request.api, contract.groups.create, { body });
    return { redirectTo: `${consolePaths.groups}/${id}` };
  } catch (error) {
    return list(request, formErrors(rejectionOf(error).messages, nameOnly));
  }
}

async function list(request: ConsoleRequest, errors: readonly FormError[]): Promise<ConsoleView> {
  const { api, query, formats } = request;
  const { data, nextCursor } = await api.groups.list({ limit: pageSize, cursor: query.get('cursor') ?? undefined });
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
