import { contract, filterQuery } from '@runward/contract';
import type { RunCounts, RunPage, RunSort, RunStatus, SavedView, Template } from '@runward/sdk';
import { inWords } from '../../../words.ts';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { rejectedFields, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import type { FormError } from '../forms/form-errors.ts';
import { chosenPage, nextPageLink, pathWith } from '../next-page.ts';
import { loadMembers, type Members } from '../people.ts';
import { refreshed } from '../scripted.ts';
import { renderTable } from '../table.ts';
import { renderTabs } from '../tabs.ts';
import { filterForm, filterLabels } from './filter-form.ts';
import { filtersOf, filterTexts, hiddenFilters, textsOf, type FilterTexts } from './run-filters.ts';
import { runColumns, runRows } from './run-rows.ts';

/** The most templates and folders that the form offers, and views that have a link. */
const maximumChoices = 200;

const statuses: readonly RunStatus[] = ['RUNNING', 'OVERDUE', 'COMPLETED', 'CANCELLED'];

/** The runs of the organization: tabs by status, filters, and actions on several runs. */
export async function showRuns(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, query } = request;
  const texts = filterTexts(query);
  const [found, views, members, templates, folders, searchable] = await Promise.all([
    find(request, texts),
    api.savedViews.list({ limit: maximumChoices }),
    loadMembers(api),
    api.templates.list({ limit: maximumChoices }),
    api.folders.list({ limit: maximumChoices }),
    api.runs.searchableFields({ limit: maximumChoices }),
  ]);
  const errors = 'runs' in found ? [] : found;
  const choices = { members, templates: templates.data, folders: folders.data, searchable: searchable.data };
  const main = html`${'runs' in found && tabs(request, found.counts, texts.statuses)} ${viewLinks(views.data)}
    ${filterForm(texts, query.get('sort') ?? '', choices, errors)}
    ${'runs' in found && (await results(request, texts, found, { members, templates: templates.data }))}
    <p class="note">Times are in ${request.formats.timeZone}.</p>`;
  return { title: 'Runs', section: 'runs', errors, main };
}

interface Matching {
  readonly runs: RunPage;
  readonly counts: RunCounts;
}

/** A page of the runs that match, and how many there are of each status; or what is wrong with the filters. */
async function find({ api, query }: ConsoleRequest, texts: FilterTexts): Promise<Matching | readonly FormError[]> {
  const { statuses: _, ...others } = texts;
  const sort = query.get('sort') ?? '';
  try {
    const [runs, counts] = await Promise.all([
      api.runs.list({
        ...filtersOf(texts),
        ...chosenPage({ query }),
        // The counts have the exact number.
        total: 'bounded',
        // The endpoint rejects any other order.
        ...(sort !== '' && { sort: sort as RunSort }),
      }),
      api.runs.counts(filtersOf(others)),
    ]);
    return { runs, counts };
  } catch (error) {
    return rejectedFields(error, filterLabels);
  }
}

async function results(
  request: ConsoleRequest,
  texts: FilterTexts,
  { runs, counts }: Matching,
  { members, templates }: { readonly members: Members; readonly templates: readonly Template[] },
): Promise<Markup> {
  const rows = await runRows(request, runs.data, templates, members);
  return html`<div ${refreshed('runs')}>
    ${runs.total === 0 ? empty() : list(request, runs, { texts, total: totalOf(counts, texts), rows })}
    ${nextPageLink(request, runs.nextCursor)}
  </div>`;
}

function tabs(request: ConsoleRequest, counts: RunCounts, chosen: string | undefined): Markup {
  const tab = (status: string | null, text: string, count: number) => ({
    href: pathWith(request, { statuses: status, cursor: null }),
    text,
    count,
    isCurrent: (chosen ?? null) === status,
  });
  const byStatus = statuses.map((status) => tab(status, inWords(status), counts[status]));
  return renderTabs(request.formats, 'Status', [tab(null, 'All', counts.total), ...byStatus]);
}

function viewLinks(views: readonly SavedView[]): Child {
  if (views.length === 0) return null;
  return html`<nav class="views" aria-label="Saved views">
    <ul>
      ${views.map(
        ({ name, filters }) =>
          html`<li>
            <a href="${consolePaths.runs}?${searchOf(textsOf(filterQuery(filters)))}"><bdi>${name}</bdi></a>
          </li>`,
      )}
    </ul>
  </nav>`;
}

function searchOf(texts: FilterTexts): string {
  return new URLSearchParams(Object.entries(texts)).toString();
}

/** The number of runs on all pages. */
function totalOf(counts: RunCounts, { statuses: chosen }: FilterTexts): number {
  if (chosen === undefined) return counts.total;
  return statuses.reduce((sum, status) => sum + (chosen.split(',').includes(status) ? counts[status] : 0), 0);
}

interface Listed {
  readonly texts: FilterTexts;
  readonly total: number;
  readonly rows: readonly Child[][];
}

function list({ formats }: ConsoleRequest, runs: RunPage, { texts, total: all, rows }: Listed): Markup {
  const total = formats.number(all);
  const choices = { name: 'run', records: runs.data.map(({ id, title }) => ({ id, label: title })) };
  return html`<form method="get" action="${consolePaths.runs}/bulk">
    ${hiddenFilters(texts)}
    ${renderTable({ caption: 'Runs that match the filters', columns: runColumns, rows, choices })}
    <div class="bulk">
      <fieldset>
        <legend>Change</legend>
        <label class="check"><input type="radio" name="which" value="chosen" checked /> the chosen runs</label>
        <label class="check"><input type="radio" name="which" value="all" /> all ${total} that match</label>
      </fieldset>
      <div class="actions">
        <button type="submit" class="quiet" name="action" value="archive">Archive…</button>
        <button type="submit" class="quiet" name="action" value="cancel">Cancel…</button>
        <button type="submit" class="quiet" name="action" value="assign">Assign open tasks…</button>
        <button type="submit" class="quiet" name="action" value="migrate">Update version…</button>
        <a class="button quiet" href="${contract.runs.exportCsv.path}?${searchOf(texts)}">Export ${total} as CSV</a>
      </div>
    </div>
  </form>`;
}

function empty(): Markup {
  return html`<p class="empty">
    No runs match. <a href="${consolePaths.runs}">Show all of them</a>, or
    <a href="${consolePaths.launch}">launch one</a>.
  </p>`;
}
