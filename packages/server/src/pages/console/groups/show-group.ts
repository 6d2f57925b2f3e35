import type { Group, User } from '@runward/sdk';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { nameForm } from '../forms/one-name.ts';
import { searchForm } from '../forms/search-form.ts';
import type { Rejection } from '../forms/unless-rejected.ts';
import { grantsSection } from '../grants/grants-section.ts';
import { nextPageLink, pageSize } from '../next-page.ts';
import { searchMembers } from '../people.ts';
import { renderTable } from '../table.ts';

const grantsNote = html`<p>For the members of the group who only have access to what is granted.</p>`;

/** A group: its name, its members, and a search for more of them. */
export async function showGroup(sent: ConsoleRequest, rejection: Rejection = {}): Promise<ConsoleView> {
  const { api, params, query } = sent;
  const [group, found] = await Promise.all([
    api.groups.get(params['id'] ?? ''),
    searchMembers(api, query.get('search') ?? ''),
  ]);
  const path = `${consolePaths.groups}/${group.id}`;
  // Links and the search lead to the page, not to where one of its forms was sent.
  const request = { ...sent, path };
  const isMember = new Set(group.memberIds);
  const main = html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${consolePaths.groups}">All groups</a></nav>
    ${nameForm(request, { path, value: group.name, button: 'Rename', errors: rejection.errors ?? [] })}
    ${searchForm(request, { name: 'search', label: 'Name or email address contains' })}
    ${members(
      request,
      group,
      found.filter(({ id }) => isMember.has(id)),
    )}
    ${candidates(
      request,
      group,
      found.filter(({ id }) => !isMember.has(id)),
    )}
    ${await grantsSection(request, { groupId: group.id }, grantsNote)}
    <section aria-labelledby="delete">
      <h2 id="delete">Delete</h2>
      <p><a class="button quiet" href="${path}/delete">Delete the group…</a></p>
    </section>`;
  return { title: group.name, section: 'groups', main, ...rejection };
}

function members(request: ConsoleRequest, group: Group, own: readonly User[]): Markup {
  const { formats, query } = request;
  const text =
    group.memberIds.length === 0
      ? 'The group has no members yet. Add the first ones below.'
      : 'No member of the group matches the search.';
  return html`<section aria-labelledby="members">
    <h2 id="members">Members <span class="count">${formats.number(group.memberIds.length)}</span></h2>
    ${
      own.length === 0
        ? html`<p class="soft">${text}</p>`
        : choosable(request, group, { users: own, action: 'remove', button: 'Remove the chosen', from: 'members' })
    }
    ${query.get('search') ? html`<p class="note">Only those that match the search are shown.</p>` : null}
  </section>`;
}

function candidates(request: ConsoleRequest, group: Group, others: readonly User[]): Markup {
  return html`<section aria-labelledby="others">
    <h2 id="others">Add members</h2>
    ${
      others.length === 0
        ? html`<p class="soft">No one else matches. <a href="${consolePaths.members}/new">Add a member</a> first.</p>`
        : choosable(request, group, { users: others, action: 'add', button: 'Add the chosen', from: 'others' })
    }
  </section>`;
}

/** A page of people with a box each, and what to do with the chosen ones. `from` names the position in the URL. */
function choosable(
  request: ConsoleRequest,
  { id }: Group,
  {
    users,
    action,
    button,
    from,
  }: {
    readonly users: readonly User[];
    readonly action: 'add' | 'remove';
    readonly button: string;
    readonly from: string;
  },
): Child {
  const { csrf, query } = request;
  const start = Math.max(0, Number.parseInt(query.get(from) ?? '0', 10) || 0);
  const shown = users.slice(start, start + pageSize);
  const end = start + pageSize;
  return html`<form method="post" action="${consolePaths.groups}/${id}/members">
      ${csrf}
      ${renderTable({
        caption: action === 'add' ? 'Members to add' : 'Members of the group',
        columns: ['Name', 'Email address'],
        rows: shown.map(({ name, email }) => [html`<bdi>${name}</bdi>`, email]),
        choices: { name: action, records: shown.map(({ id: value, name }) => ({ id: value, label: name })) },
      })}
      <div class="actions"><button type="submit" class="quiet">${button}</button></div>
    </form>
    ${nextPageLink(request, end < users.length ? String(end) : null, { name: from, anchor: from })}`;
}
