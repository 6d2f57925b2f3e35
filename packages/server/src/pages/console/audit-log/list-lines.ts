import { auditRetentionDays, contract, type Response } from '@runward/contract';
import { html, type Child, type Markup } from '../../html.ts';
import { call } from '../call.ts';
import { rejectedFields, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { filterChoices, filterForm } from '../forms/filter-choices.ts';
import type { FormError } from '../forms/form-errors.ts';
import { namedOptions } from '../forms/select.ts';
import { textField } from '../forms/text-field.ts';
import { nextPageLink, pageSize, pathWith } from '../next-page.ts';
import { loadMembers, type Members } from '../people.ts';
import { renderTable } from '../table.ts';
import { timeTag } from '../time-tag.ts';
import { totalNote } from '../total-note.ts';
import { periodFields, readPeriod, renderPeriod } from '../webhooks/period.ts';
import { actionInWords, actionOptions, actorInWords, changesOf, type AuditLine } from './line-words.ts';

type LinePage = Response<typeof contract.auditLog.list>;

const labels = { action: 'Action', actorId: 'Who', targetId: 'Id of the record', ...periodFields } as const;

/** What was done to administer the organization, newest first. */
export async function listLines(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, formats, visitor } = request;
  const { filters, errors: wrongTimes } = readFilters(request);
  const [members, found] = await Promise.all([
    loadMembers(api),
    wrongTimes.length > 0 ? wrongTimes : findLines(request, filters),
  ]);
  const errors = 'total' in found ? [] : found;
  const days = formats.number(auditRetentionDays[visitor.actor.plan]);
  const main = html`<p class="lead">Who signed in, and who changed what in the settings of this organization.</p>
    ${filterForm(request, 'Audit log', filterFields(request, members, errors))}
    ${'total' in found && results(request, members, found, filters)}
    <p class="note">Lines are kept for ${days} days. Times are in ${formats.timeZone}.</p>`;
  return { title: 'Audit log', section: 'auditLog', errors, main };
}

type Filters = Readonly<Record<string, string>>;

function readFilters({ query, formats }: ConsoleRequest): { filters: Filters; errors: readonly FormError[] } {
  const { from, to, errors } = readPeriod(query, formats);
  const own = { action: query.get('action'), actorId: query.get('actorId'), targetId: query.get('targetId')?.trim() };
  const given = Object.entries({ ...own, from, to }).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return { filters: Object.fromEntries(given) as Filters, errors };
}

async function findLines({ api, query }: ConsoleRequest, filters: Filters): Promise<LinePage | readonly FormError[]> {
  const cursor = query.get('cursor');
  const paging = { limit: pageSize, total: 'bounded', ...(cursor && { cursor }) };
  const found = call(api, contract.auditLog.list, { query: { ...filters, ...paging } });
  return found.catch((error: unknown) => rejectedFields(error, labels));
}

function filterFields({ query }: ConsoleRequest, { active }: Members, errors: readonly FormError[]): Markup {
  const choose = filterChoices(query, labels, errors);
  return html`${choose('action', actionOptions)} ${choose('actorId', namedOptions(active))}
  ${textField({ id: 'targetId', label: labels.targetId, value: query.get('targetId') ?? '', errors, isOptional: true })}
  ${renderPeriod(query, errors)}`;
}

function results(request: ConsoleRequest, members: Members, page: LinePage, filters: Filters): Child {
  const { data, total, nextCursor } = page;
  if (total === 0) return html`<p class="empty">Nothing like that was done. Clear the filters to see all lines.</p>`;
  const { formats } = request;
  const search = new URLSearchParams(filters).toString();
  const file = `${contract.auditLog.export.path}${search && `?${search}`}`;
  return html`<p class="note">
      ${totalNote(formats, page, 'line', 'lines')}. <a href="${file}" download>Download as CSV</a>
    </p>
    ${renderTable({
      caption: 'Audit log, newest first',
      columns: ['What', 'Record', 'Who', 'Address', 'When'],
      rows: data.map((line) => [
        html`${actionInWords(line.action)} ${changesOf(line)}`,
        recordOf(request, line),
        html`<bdi>${actorInWords(line.actor, members)}</bdi>`,
        line.address ?? '–',
        timeTag(formats, line.at),
      ]),
    })}
    ${nextPageLink(request, nextCursor)}`;
}

/** The record of a line, as a way to all lines about it. */
function recordOf(request: ConsoleRequest, { target: { type, id, label } }: AuditLine): Markup {
  const href = pathWith(request, { targetId: id, cursor: null });
  return html`<a href="${href}"><bdi>${label ?? (type === 'SESSION' ? 'Session' : id)}</bdi></a>`;
}
