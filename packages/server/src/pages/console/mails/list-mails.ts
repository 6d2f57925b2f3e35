import { contract, mailRetentionDays, mailStatuses, type Response } from '@runward/contract';
import { inWords } from '../../../words.ts';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import { rejectedFields, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { filterChoices, filterForm } from '../forms/filter-choices.ts';
import type { FormError } from '../forms/form-errors.ts';
import { namedOptions } from '../forms/select.ts';
import { nextPageLink, pageSize } from '../next-page.ts';
import { loadMembers, type Members } from '../people.ts';
import { statusMark } from '../status.ts';
import { renderTable } from '../table.ts';
import { timeTag } from '../time-tag.ts';
import { heldByWords } from './held-by-words.ts';

type MailPage = Response<typeof contract.mails.list>;

const labels = { status: 'Status', userId: 'Member' } as const;

/** The mails to the members of the organization, newest first. */
export async function listMails(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, formats } = request;
  const [members, { mailEnabled }, found] = await Promise.all([
    loadMembers(api),
    call(api, contract['me.notifications'].get),
    findMails(request),
  ]);
  const errors = 'total' in found ? [] : found;
  const main = html`<p class="lead">
      Members are told by mail what they have to do. Each of them chooses what on the page of their account.
    </p>
    ${!mailEnabled && html`<p class="note">This service does not send mail. Whoever operates it can set up a mail server.</p>`}
    ${filterForm(request, 'Mails', filterFields(request, members, errors))}
    ${'total' in found && results(request, found)}
    <p class="note">Mails are kept for ${mailRetentionDays} days. Times are in ${formats.timeZone}.</p>`;
  return { title: 'Mails', section: 'mails', errors, main };
}

async function findMails({ api, query }: ConsoleRequest): Promise<MailPage | readonly FormError[]> {
  const filters = ['status', 'userId', 'cursor'].flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value] as const] : [];
  });
  const found = call(api, contract.mails.list, { query: { limit: pageSize, ...Object.fromEntries(filters) } });
  return found.catch((error: unknown) => rejectedFields(error, labels));
}

function filterFields({ query }: ConsoleRequest, { active }: Members, errors: readonly FormError[]): Markup {
  const choose = filterChoices(query, labels, errors);
  const statuses = mailStatuses.map((status) => ({ value: status, text: inWords(status) }));
  return html`${choose('status', statuses)} ${choose('userId', namedOptions(active))}`;
}

function results(request: ConsoleRequest, { data, total, nextCursor }: MailPage): Child {
  if (total === 0)
    return html`<p class="empty">There are no such mails. Clear the filters, or assign a task to someone.</p>`;
  const { formats } = request;
  return html`<p class="note">${formats.number(total)} ${total === 1 ? 'mail' : 'mails'}</p>
    ${renderTable({
      caption: 'Mails, newest first',
      columns: ['Subject', 'To', 'Status', 'Written'],
      rows: data.map(({ id, subject, to, status, heldBy, createdAt }) => [
        html`<a href="${consolePaths.mails}/${id}"><bdi>${subject}</bdi></a>`,
        to,
        html`${statusMark(status)}${heldBy && html` <span class="why">${heldByWords[heldBy]}</span>`}`,
        timeTag(formats, createdAt),
      ]),
    })}
    ${nextPageLink(request, nextCursor)}`;
}
