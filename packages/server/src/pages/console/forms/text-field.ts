import { html, type Child, type Markup } from '../../html.ts';
import { fieldErrors, type FormError } from './form-errors.ts';

/** A field for a text. */
export interface TextField {
  readonly id: string;
  /** Default: its id. */
  readonly name?: string;
  readonly label: Child;
  readonly hint?: Child;
  /** Default: empty, as for passwords, which are never shown again. */
  readonly value?: string;
  readonly errors: readonly FormError[];
  readonly isOptional?: boolean;
  /** The lines of a long text. Default: it has one, unless its value has breaks, which one line would drop. */
  readonly rows?: number;
  /** Further attributes, such as the type. */
  readonly attributes?: Markup;
}

const rowsOfBreaks = 4;

/** Renders a field: its label, the hint, what is wrong, and the control. */
export function textField(field: TextField): Markup {
  const { id, name = id, label, hint, value = '', errors, isOptional = false, attributes } = field;
  const error = fieldErrors(errors, id);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const rows = field.rows ?? (value.includes('\n') ? rowsOfBreaks : null);
  const state = html`id="${id}" name="${name}" ${!isOptional && html`required`} ${error && html`aria-invalid="true"`}
  ${described !== '' && html`aria-describedby="${described}"`}`;
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`} ${error}
    ${
      rows === null
        ? html`<input ${state} value="${value}" ${attributes} />`
        : html`<textarea ${state} rows="${rows}">${`\n${value}`}</textarea>`
    }
  </div>`;
}
