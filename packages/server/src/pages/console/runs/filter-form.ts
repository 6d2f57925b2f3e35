import type { Folder, SearchableField, Template } from '@runward/sdk';
import { html, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { namedOptions, select } from '../forms/select.ts';
import type { Members } from '../people.ts';
import type { FilterName, FilterTexts } from './run-filters.ts';
import { valueFields } from './value-filters.ts';

/** What the fields of the form offer. */
export interface Choices {
  readonly members: Members;
  readonly templates: readonly Template[];
  readonly folders: readonly Folder[];
  readonly searchable: readonly SearchableField[];
}

const sorts = [
  { value: '', text: 'Newest first' },
  { value: 'createdAt', text: 'Oldest first' },
  { value: '-updatedAt', text: 'Last changed first' },
  { value: 'scheduledDateLocal', text: 'By planned day' },
  { value: 'title', text: 'By title' },
];

const dates: readonly (readonly [FilterName, string])[] = [
  ['createdFrom', 'Started from'],
  ['createdTo', 'Started until'],
  ['scheduledFrom', 'Planned from'],
  ['scheduledTo', 'Planned until'],
];

const folded: readonly FilterName[] = ['folderIds', 'assigneeIds', 'stalledForDays', ...dates.map(([name]) => name)];

/** The form with the filters of the list of runs. Its state is in the URL. */
export function filterForm(
  texts: FilterTexts,
  sort: string,
  { members, templates, folders, searchable }: Choices,
): Markup {
  const people = namedOptions(members.active);
  const choose = (name: FilterName, label: string, options: typeof people) =>
    select({ id: name, name, label, options, value: texts[name] ?? '', none: 'All' });
  const values = valueFields(texts.values, searchable);
  const isOpen = sort !== '' || folded.some((name) => texts[name] !== undefined);
  return html`<form class="filters" method="get" action="${consolePaths.runs}" role="search" aria-label="Runs">
    ${texts.statuses !== undefined && html`<input type="hidden" name="statuses" value="${texts.statuses}" />`}
    <div class="fields">
      ${input('search', 'Title contains', 'search')} ${choose('templateIds', 'Template', namedOptions(templates))}
      ${choose('ownerUserIds', 'Owner', people)}
    </div>
    <details ${isOpen && html`open`}>
      <summary>More filters</summary>
      <div class="fields">
        ${choose('assigneeIds', 'A task is assigned to', people)}
        ${folders.length > 0 && choose('folderIds', 'Folder', namedOptions(folders))}
        ${dates.map(([name, label]) => input(name, label, 'date'))}
        ${input('stalledForDays', 'No activity for days', 'number')}
        ${select({ id: 'sort', name: 'sort', label: 'Order', options: sorts, value: sort })}
      </div>
    </details>
    ${
      searchable.length === 0
        ? values
        : html`<details ${texts.values !== undefined && html`open`}>
            <summary>Values of forms</summary>
            <p class="hint">
              Dates like 2027-01-31; yes or no; of choices their keys, of people their ids; with “is one of”, commas
              between them.
            </p>
            ${values}
          </details>`
    }
    <div class="actions">
      <label class="check"
        ><input type="checkbox" name="archived" value="true" ${texts.archived === 'true' && html`checked`} /> Archived
        runs</label
      >
      <button type="submit">Filter</button>
      <a class="button quiet" href="${consolePaths.runs}">Clear</a>
    </div>
  </form>`;

  function input(name: FilterName, label: string, type: 'search' | 'date' | 'number'): Markup {
    return html`<div class="field">
      <label for="${name}">${label}</label>
      <input
        id="${name}"
        name="${name}"
        type="${type}"
        ${type === 'number' && html`min="0"`}
        value="${texts[name] ?? ''}"
      />
    </div>`;
  }
}
