import { randomUUID } from 'node:crypto';
import type { Template, User, Variable } from '@runward/sdk';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { fieldErrors, type FormError } from '../forms/form-errors.ts';
import { select, type Select } from '../forms/select.ts';
import { textField } from '../forms/text-field.ts';

/** What the form shows. */
interface LaunchForm {
  readonly template: Template;
  readonly variables: readonly Variable[];
  /** Who else can own the run. */
  readonly others: readonly User[];
  /** The texts in the fields, by their names. */
  readonly values: URLSearchParams;
  readonly errors: readonly FormError[];
}

/** What an input asks for. */
interface Input {
  readonly name: string;
  readonly label: Child;
  readonly hint?: string | null;
  readonly isRequired?: boolean;
  readonly attributes?: Markup;
}

/** The name of the field for a variable; also how messages of the API name it. */
export function variableField(key: string): string {
  return `variables.${key}`;
}

/** The id of the field with a name. */
export function fieldIdOf(name: string): string {
  return `field-${name.replace('.', '-')}`;
}

/**
 * The form for launching a run: its title, day, owner and variables, with what is wrong. Sent twice, it launches one
 * run: `once` is its idempotency key.
 */
export function launchForm(
  { csrf }: ConsoleRequest,
  { template, variables, others, values, errors }: LaunchForm,
): Markup {
  return html`${template.description !== null && html`<p class="soft">${template.description}</p>`}
    <form class="launch" method="post" action="${consolePaths.launch}/${template.id}">
      ${csrf}<input type="hidden" name="once" value="${values.get('once') ?? randomUUID()}" />
      ${input({
        name: 'title',
        label: 'Title',
        hint: `Leave it empty for ${template.runTitlePattern === null ? 'the name of the template' : template.runTitlePattern}.`,
      })}
      ${input({ name: 'scheduledDateLocal', label: 'Planned for', attributes: html`type="date"` })}
      ${choice(
        'ownerEmail',
        'Owner',
        values.get('ownerEmail') ?? '',
        others.map(({ name, email }) => ({ value: email, text: `${name}, ${email}` })),
        { none: 'You' },
      )}
      ${variables.map((variable) => variableInput(variable))}
      <div class="actions">
        <button type="submit">Launch</button>
        <a class="button quiet" href="${consolePaths.launch}">Choose another template</a>
      </div>
    </form>`;

  function variableInput({ key, name: given, type, description, required }: Variable): Markup {
    const name = variableField(key);
    const label = html`${given ?? key}${required && html` <span class="soft">(required)</span>`}`;
    if (type === 'BOOLEAN') {
      const options = [
        { value: 'true', text: 'Yes' },
        { value: 'false', text: 'No' },
      ];
      const text = html`${label} ${description !== null && html`<span class="hint">${description}</span>`}`;
      return choice(name, text, values.get(name) ?? '', options, { none: 'Not stated', isRequired: required });
    }
    const attributes = { TEXT: html`type="text"`, NUMBER: html`inputmode="decimal"`, DATE: html`type="date"` }[type];
    return input({ name, label, hint: description, isRequired: required, attributes });
  }

  function choice(
    name: string,
    label: Child,
    value: string,
    options: readonly { readonly value: string; readonly text: string }[],
    blank: Pick<Select, 'none' | 'isRequired'> = {},
  ): Markup {
    const id = fieldIdOf(name);
    return select({
      id,
      name,
      label,
      value,
      options,
      error: fieldErrors(errors, id),
      ...blank,
    });
  }

  function input({ name, label, hint, isRequired = false, attributes }: Input): Markup {
    return textField({
      id: fieldIdOf(name),
      name,
      label,
      hint,
      value: values.get(name) ?? '',
      errors,
      isOptional: !isRequired,
      ...(attributes && { attributes }),
    });
  }
}
