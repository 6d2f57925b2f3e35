import type { User, UserStatusFilter } from '@runward/sdk';
import { inWords } from '../../../words.ts';
import { html, type Child } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { formErrors } from '../forms/form-errors.ts';
import { searchForm } from '../forms/search-form.ts';
import { chosenPage, nextPageLink, pathWith } from '../next-page.ts';
import { renderTable } from '../table.ts';
import { renderTabs } from '../tabs.ts';
import { timeTag } from '../time-tag.ts';
import { memberFields } from './member-fields.ts';

const tabs: readonly { readonly status: UserStatusFilter; readonly text: string }[] = [
  { status: 'ACTIVE', text: 'Active' },
  { status: 'DEACTIVATED', text: 'Deactivated' },
  { status: 'ALL', text: 'All' },
];

/** The members of the organization by name. */
export async function listMembers(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, query, formats } = request;
  const email = query.get('email') || undefined;
  const chosen = tabs.find(({ status }) => status === query.get('status'))?.status ?? 'ACTIVE';
  const search = searchForm(request, { name: 'email', label: 'Whole email address', keep: ['status'] });
  try {
    const [members, ...counts] = await Promise.all([
      api.users.list({ status: chosen, email, ...chosenPage(request) }),
      ...tabs.map(async ({ status }) => (await api.users.list({ status, email, limit: 1 })).total),
    ]);
    const links = tabs.map(({ status, text }, position) => ({
      href: pathWith(request, { status: status === 'ACTIVE' ? null : status, cursor: null }),
      text,
      count: counts[position] ?? 0,
      isCurrent: status === chosen,
    }));
    const main = html`<p><a class="button" href="${consolePaths.members}/new">Add a member</a></p>
      ${renderTabs(formats, 'Status', links)} ${search}
      ${
        members.data.length === 0
          ? html`<p class="empty">No members match. <a href="${consolePaths.members}">Show all active members</a>.</p>`
          : renderTable({
              caption: 'Members',
              columns: ['Name', 'Email address', 'Role', 'Status', 'Added'],
              rows: members.data.map((member) => row(request, member)),
            })
      }
      ${nextPageLink(request, members.nextCursor)}
      <p class="note">Times are in ${formats.timeZone}.</p>`;
    return { title: 'Members', section: 'members', main };
  } catch (error) {
    const { status, messages } = rejectionOf(error);
    const errors = formErrors(messages, { email: memberFields.email });
    return { title: 'Members', section: 'members', errors, main: search, status };
  }
}

function row({ formats }: ConsoleRequest, { id, name, email, role, status, createdAt }: User): Child[] {
  return [
    html`<a href="${consolePaths.members}/${id}"><bdi>${name}</bdi></a>`,
    email,
    inWords(role),
    inWords(status),
    timeTag(formats, createdAt),
  ];
}
