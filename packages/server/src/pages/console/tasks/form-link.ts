import { contract } from '@runward/contract';
import { isActive } from '@runward/engine';
import { html, type Child } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { checkBox } from '../forms/check-box.ts';
import { fieldErrors, formErrors } from '../forms/form-errors.ts';
import { may } from '../may.ts';
import type { TaskData } from './task-data.ts';

/** The field for an address, by the property that the messages of the API name. */
export const emailField = { email: 'Email address' } as const;

/** The id of that field. */
export const emailFieldId = 'link-email';

/** A form that sends a person without an account a link to the form of a task, with what is wrong. */
export function renderFormLink(
  { csrf, visitor, form, ports }: ConsoleRequest,
  { task, around }: TaskData,
  messages: readonly string[],
): Child {
  const isOpen = isActive({ status: task.runStatus }) && !task.hidden && !task.retired && task.status !== 'COMPLETED';
  if (!around || !isOpen || !may(visitor, contract['runs.tasks'].createFormLink)) return null;
  const email = form.get('email');
  const error = fieldErrors(
    formErrors(messages, emailField, () => emailFieldId),
    emailFieldId,
  );
  return html`<details ${email !== null && html`open`}>
    <summary>Ask somebody without an account</summary>
    <form class="form" method="post" action="${consolePaths.tasks}/${task.runTaskId}/form-link">
      ${csrf}
      <div class="field">
        <label for="${emailFieldId}">${emailField.email}</label>
        <p class="hint" id="link-email-hint">
          The task is assigned to this person, who gets a link to its form and sees nothing else of the run.
        </p>
        ${error}
        <input
          id="${emailFieldId}"
          name="email"
          type="email"
          value="${email}"
          required
          maxlength="254"
          autocomplete="off"
          aria-describedby="link-email-hint${error && ` ${emailFieldId}-error`}"
          ${error && html`aria-invalid="true"`}
        />
      </div>
      ${ports.smtp !== null && checkBox('requireCode', 'true', 'Ask for a code that is mailed to this address', form)}
      <button type="submit" class="quiet">Make the link</button>
    </form>
  </details>`;
}
