import { html, type Child, type Markup } from '../../html.ts';

/** A field with a list of choices. */
export interface Select {
  readonly id: string;
  readonly name: string;
  readonly label: Child;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly value: string;
  /** What stands for no choice. */
  readonly none?: string;
  readonly isRequired?: boolean;
  readonly hint?: Child;
  /** What is wrong with the value; see `fieldErrors`. */
  readonly error?: Markup | null;
}

/** Renders a field with a list of choices. A value that is not in the list remains one of its choices. */
export function select({ id, name, label, options, value, none, isRequired, hint, error }: Select): Markup {
  const isKnown = value === '' || options.some((option) => option.value === value);
  const others = isKnown ? [] : [{ value, text: value.includes(',') ? `${value.split(',').length} chosen` : 'Chosen' }];
  const all = [...(none === undefined ? [] : [{ value: '', text: none }]), ...others, ...options];
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`} ${error}
    <select
      id="${id}"
      name="${name}"
      ${isRequired && html`required`}
      ${error && html`aria-invalid="true"`}
      ${described !== '' && html`aria-describedby="${described}"`}
    >
      ${all.map(
        (option) =>
          html`<option value="${option.value}" ${option.value === value && html`selected`}>${option.text}</option>`,
      )}
    </select>
  </div>`;
}

/** Members or templates as choices. */
export function namedOptions(records: readonly { readonly id: string; readonly name: string }[]): Select['options'] {
  return records.map(({ id, name }) => ({ value: id, text: name }));
}
