import type { Markup } from '../../html.ts';
import { fieldErrors, type FormError } from './form-errors.ts';
import { select, type Select } from './select.ts';

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
