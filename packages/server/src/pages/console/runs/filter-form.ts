import type { Folder, SearchableField, Template } from '@runward/sdk';
import { html, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { fieldErrors, type FormError } from '../forms/form-errors.ts';
import { namedOptions, select } from '../forms/select.ts';
import { textField } from '../forms/text-field.ts';
import type { Members } from '../people.ts';
import type { FilterName, FilterTexts } from './run-filters.ts';
import { valueFields } from './value-filters.ts';

type LabelledFilter = FilterName & keyof typeof filterLabels;

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

/** The labels of the filters, by their names in the API. */
export const filterLabels = {
  search: 'Title contains',
  templateIds: 'Template',
  ownerUserIds: 'Owner',
  assigneeIds: 'A task is assigned to',
  folderIds: 'Folder',
  createdFrom: 'Started from',
  createdTo: 'Started until',
  scheduledFrom: 'Planned from',
  scheduledTo: 'Planned until',
  stalledForDays: 'No activity for days',
  sort: 'Order',
} as const;

const dates = ['createdFrom', 'createdTo', 'scheduledFrom', 'scheduledTo'] as const;

const folded: readonly FilterName[] = ['folderIds', 'assigneeIds', 'stalledForDays', ...dates];

/** The form with the filters of the list of runs, and what is wrong with them. Its state is in the URL. */
export function filterForm(
  texts: FilterTexts,
  sort: string,
  { members, templates, folders, searchable }: Choices,
  errors: readonly FormError[],
): Markup {
  const people = namedOptions(members.active);
  const choose = (name: LabelledFilter, options: typeof people) => {
    const [label, error] = [filterLabels[name], fieldErrors(errors, name)];
    return select({ id: name, name, label, options, value: texts[name] ?? '', none: 'All', error });
  };
  const values = valueFields(texts.values, searchable);
  const isOpen = sort !== '' || folded.some((name) => texts[name] !== undefined);
  return html`<form class="filters" method="get" action="${consolePaths.runs}" role="search" aria-label="Runs">
    ${texts.statuses !== undefined && html`<input type="hidden" name="statuses" value="${texts.statuses}" />`}
    <div class="fields">
      ${input('search', 'search')} ${choose('templateIds', namedOptions(templates))} ${choose('ownerUserIds', people)}
    </div>
    <details ${isOpen && html`open`}>
      <summary>More filters</summary>
      <div class="fields">
        ${choose('assigneeIds', people)} ${folders.length > 0 && choose('folderIds', namedOptions(folders))}
        ${dates.map((name) => input(name, 'date'))} ${input('stalledForDays', 'number')}
        ${select({
          id: 'sort',
          name: 'sort',
          label: filterLabels.sort,
          options: sorts,
          value: sort,
          error: fieldErrors(errors, 'sort'),
        })}
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

  function input(name: LabelledFilter, type: 'search' | 'date' | 'number'): Markup {
    const attributes = html`type="${type}" ${type === 'number' && html`min="0"`}`;
    return textField({
      id: name,
      label: filterLabels[name],
      value: texts[name] ?? '',
      errors,
      isOptional: true,
      attributes,
    });
  }
}
