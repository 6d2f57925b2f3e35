import { html, type Child, type Markup } from '../../html.ts';

/** What is wrong with a form, by the id of the field; null for the form as a whole. */
export interface FormError {
  readonly fieldId: string | null;
  readonly message: string;
}

/** The labels of the fields of a form, by the property that the messages of the API name. */
export type Labels = Readonly<Record<string, string>>;

/**
 * Errors of a form from messages of the API, which begin with the property that they concern. A field has the id of its
 * property, unless `idOf` says another.
 */
export function formErrors(
  messages: readonly string[],
  labels: Labels = {},
  idOf: (property: string) => string = (property) => property,
): FormError[] {
  return messages.map((message) => {
    const [, property = '', text] = /^([^:[]+)(?:\[\d+\])?: (.*)$/s.exec(message) ?? [];
    if (!Object.hasOwn(labels, property)) return { fieldId: null, message };
    return { fieldId: idOf(property), message: `${labels[property]}: ${text}` };
  });
}

/** All errors of a form, with links to its fields, for the top of the page. Nothing without errors. */
export function errorSummary(errors: readonly FormError[]): Child {
  if (errors.length === 0) return null;
  return html`<div class="problem" role="alert" aria-labelledby="problem">
    <h2 id="problem">There is a problem</h2>
    <ul>
      ${errors.map(
        ({ fieldId, message }) =>
          html`<li>${fieldId === null ? message : html`<a href="#${fieldId}">${message}</a>`}</li>`,
      )}
    </ul>
  </div>`;
}

/** The errors of a field, to show beside it, with the id that its control names in `aria-describedby`. */
export function fieldErrors(errors: readonly FormError[], fieldId: string): Markup | null {
  const own = errors.filter((error) => error.fieldId === fieldId);
  if (own.length === 0) return null;
  return html`<p class="error" id="${fieldId}-error">${own.map(({ message }) => message).join(' ')}</p>`;
}
