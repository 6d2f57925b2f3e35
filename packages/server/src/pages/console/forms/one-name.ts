import { html, type Markup } from '../../html.ts';
import type { ConsoleRequest } from '../console-page.ts';
import type { FieldNames, FormError } from './form-errors.ts';
import { textField } from './text-field.ts';

/** The only field of a form for a name, as messages of the API name it. */
export const nameOnly: FieldNames = new Map([['name', { fieldId: 'name', label: 'Name' }]]);

/** A form with nothing but a name, which is kept if something is wrong with it. */
export function nameForm(
  { csrf, form }: ConsoleRequest,
  {
    path,
    value = '',
    button,
    errors,
  }: { readonly path: string; readonly value?: string; readonly button: string; readonly errors: readonly FormError[] },
): Markup {
  return html`<form class="one-field" method="post" action="${path}">
    ${csrf}
    ${textField({
      id: 'name',
      label: 'Name',
      value: form.get('name') ?? value,
      errors,
      attributes: html`maxlength="255" autocomplete="off"`,
    })}
    <button type="submit" class="quiet">${button}</button>
  </form>`;
}
