import { html, type Markup } from '../../html.ts';
import type { ConsoleRequest } from '../console-page.ts';
import type { FormError } from './form-errors.ts';
import { textField } from './text-field.ts';

/** The only field of a form for a name, as messages of the API name it. */
export const nameOnly = { name: 'Name' } as const;

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
      label: nameOnly.name,
      value: form.get('name') ?? value,
      errors,
      attributes: html`maxlength="255" autocomplete="off"`,
    })}
    <button type="submit" class="quiet">${button}</button>
  </form>`;
}
