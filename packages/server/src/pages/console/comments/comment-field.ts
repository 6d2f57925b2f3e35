import type { Markup } from '../../html.ts';
import { formErrors, type FormError } from '../forms/form-errors.ts';
import { textField } from '../forms/text-field.ts';

const id = 'comment-text';
const label = 'Comment';

/** The field for the text of a comment. Guests do not see who the members are, so they mention nobody. */
export function commentField({
  isForGuest,
  ...field
}: {
  readonly label: string;
  readonly value: string;
  readonly errors: readonly FormError[];
  readonly isForGuest: boolean;
}): Markup {
  const mentions = ' Write @ and the full name of a member or a group to mention them.';
  const hint = `Markdown.${isForGuest ? '' : mentions}`;
  return textField({ ...field, id, name: 'text', hint, rows: 4 });
}

/** Errors of the field from messages of the API. Those of mentions concern it too, because it names them. */
export function commentErrors(messages: readonly string[]): FormError[] {
  return formErrors(messages, { text: label, mentions: label }, () => id);
}
