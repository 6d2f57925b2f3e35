import { html, type Child, type Markup } from '../html.ts';
import { fieldErrors, type FormError } from './form-errors.ts';

/** A field for one line of text. */
export interface TextField {
  /** Also the name in the form. */
  readonly id: string;
  readonly label: Child;
  readonly hint?: Child;
  /** Default: empty, as for passwords, which are never shown again. */
  readonly value?: string;
  readonly errors: readonly FormError[];
  /** Further attributes, such as the type. */
  readonly attributes?: Markup;
}

/** Renders a field: its label, the hint, what is wrong, and the control. */
export function textField({ id, label, hint, value = '', errors, attributes }: TextField): Markup {
  const error = fieldErrors(errors, id);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`} ${error}
    <input
      id="${id}"
      name="${id}"
      value="${value}"
      required
      ${error && html`aria-invalid="true"`}
      ${described !== '' && html`aria-describedby="${described}"`}
      ${attributes}
    />
  </div>`;
}
