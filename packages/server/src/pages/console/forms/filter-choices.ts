import { html, type Child, type Markup } from '../../html.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { fieldErrors, type FormError } from './form-errors.ts';
import { select, type Select } from './select.ts';

/** A form with the filters of a list, whose state is in the URL. `label` says what is listed. */
export function filterForm({ path }: Pick<ConsoleRequest, 'path'>, label: string, fields: Child): Markup {
  return html`<form class="filters" method="get" action="${path}" role="search" aria-label="${label}">
    <div class="fields">${fields}</div>
    <div class="actions">
      <button type="submit">Filter</button>
      <a class="button quiet" href="${path}">Clear</a>
    </div>
  </form>`;
}

/** Makes the lists of choices of a form with filters. What was chosen is in the query, by the name of the filter. */
export function filterChoices<Name extends string>(
  query: URLSearchParams,
  labels: Readonly<Record<Name, string>>,
  errors: readonly FormError[],
): (name: Name, options: Select['options']) => Markup {
  return (name, options) =>
    select({
      id: name,
      name,
      label: labels[name],
      options,
      value: query.get(name) ?? '',
      none: 'All',
      error: fieldErrors(errors, name),
    });
}
