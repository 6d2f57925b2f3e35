import type { Field } from '@runward/sdk';
import { takenBy } from '@runward/sdk/form';
import { html, type Child, type Markup } from '../../html.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { errorSummary, formErrors } from '../forms/form-errors.ts';
import { sent } from '../scripted.ts';
import { answerOf, controlOf, fileTypes } from './answers.ts';
import { commentField, decisionId } from './approval.ts';
import { control, isGroup, type FieldOnPage } from './controls.ts';
import { emailField, emailFieldId } from './form-link.ts';
import {
  dependsOnAnswers,
  formId,
  factsId,
  isAnswered,
  savedAnswers,
  seenName,
  seenOf,
  type FormState,
} from './form-state.ts';
import type { TaskData } from './task-data.ts';

/** The form of a task, with its buttons. */
export function renderForm(request: ConsoleRequest, data: TaskData, state: FormState, action: string): Markup {
  const { csrf, formats } = request;
  const uploads = data.fields.filter(({ type }) => fileTypes.has(type));
  return html`<form
      class="task-form"
      method="post"
      action="${action}"
      ${hasUnsaved(data, state, formats.timeZone) && html`data-unsaved`}
      ${savesItself(data) && sent({ to: action, on: 'change target:[name^=f-]', action: 'save', replaces: formId, besides: [factsId, decisionId] })}
    >
      ${csrf}
      <button type="submit" class="only-read" name="action" value="save" tabindex="-1" aria-hidden="true">Save</button>
      ${data.fields.map((field) => renderField(field, { data, state, action }, formats.timeZone))}
      ${
        data.task.approval?.status === 'REQUESTED' &&
        html`<p class="note">A changed answer withdraws the request for approval and makes another one.</p>`
      }
      ${
        dependsOnAnswers(data) &&
        html`<p class="note">
          Some fields depend on other answers. They appear or disappear
          <span class="${savesItself(data) && 'without-scripts'}">when you save.</span>
          ${savesItself(data) && html`<span class="with-scripts">while you answer: each answer is saved at once.</span>`}
        </p>`
      }
      <div class="actions">
        ${mainButton(data)}${data.fields.length > 0 && html`<button type="submit" class="quiet" name="action" value="save">Save</button>`}
        <span class="note" id="saving" role="status"></span>
      </div>
    </form>
    ${uploads.map(
      ({ id }) =>
        html`<form id="upload-${id}" method="post" enctype="multipart/form-data" action="${uploadAction(action)}">
          ${csrf}<input type="hidden" name="field" value="${id}" />
        </form>`,
    )}`;
}

/** Whether a form is shown with answers that are not the saved ones, so that scripts ask before it is left. */
function hasUnsaved(data: TaskData, { answers }: FormState, timeZone: string): boolean {
  const saved = savedAnswers(data, timeZone);
  return data.fields.some(({ id }) => answers.get(id) !== saved.get(id));
}

/**
 * Whether scripts save each answer at once, because other fields depend on it. A request for approval would be
 * withdrawn by it, and answers without an entry of a repeatable task would make one entry each time.
 */
function savesItself(data: TaskData): boolean {
  const { form, task } = data;
  const hasEntry = form.entry !== null || !task.repeatable;
  return dependsOnAnswers(data) && hasEntry && task.approval?.status !== 'REQUESTED';
}

/** Where the files of a form are sent: below its own path. */
function uploadAction(action: string): string {
  const [path = '', search] = action.split('?');
  return `${path}/files${search === undefined ? '' : `?${search}`}`;
}

function mainButton({ task, form }: TaskData): Child {
  const { status } = form.task.approval ?? { status: 'GRANTED' };
  if (task.status === 'BLOCKED') return null;
  if (status === 'GRANTED') return html`<button type="submit" name="action" value="complete">Complete</button>`;
  if (status === 'REQUESTED') return null;
  return html`<button type="submit" name="action" value="request">Request approval</button>`;
}

function renderField(field: Field, on: Pick<FieldOnPage, 'data' | 'state' | 'action'>, timeZone: string): Markup {
  const { data, state } = on;
  const { label, required, helpText } = field;
  const name = controlOf(field);
  const problem = state.problems.get(field.id);
  const hint = hintFor(field);
  const ids = [
    helpText !== null && `help-${name}`,
    hint !== null && `hint-${name}`,
    problem !== undefined && `problem-${name}`,
  ];
  const describedBy = ids.filter((id) => id !== false).join(' ');
  const described = html`${describedBy !== '' && html`aria-describedby="${describedBy}"`}
  ${problem !== undefined && html`aria-invalid="true"`}`;
  const mark = required && html` <span class="soft">(required)</span>`;
  const about = html`${helpText !== null && html`<p class="help" id="help-${name}">${helpText}</p>`}
  ${hint !== null && html`<p class="note" id="hint-${name}">${hint}</p>`}
  ${problem !== undefined && html`<p class="error" id="problem-${name}">${problem}</p>`}
  ${
    isAnswered(field) &&
    html`<input
      type="hidden"
      name="${seenName(field)}"
      value="${state.seen.get(field.id) ?? seenOf(answerOf(field, data.form.values.get(field.id), timeZone))}"
    />`
  }`;
  const body = control({
    ...on,
    field,
    described: isGroup(field) && !fileTypes.has(field.type) ? null : described,
  });
  if (isGroup(field)) {
    return html`<fieldset ${describedBy !== '' && html`aria-describedby="${describedBy}"`}>
      <legend>${label}${mark}</legend>
      ${about}${body}
    </fieldset>`;
  }
  if (field.type === 'CHECKBOX') {
    return html`<div class="field">
      <div class="choices"><label for="${name}">${body} ${label}${mark}</label></div>
      ${about}
    </div>`;
  }
  return html`<div class="field"><label for="${name}">${label}${mark}</label>${about}${body}</div>`;
}

/** An example of what a field takes, if the control itself does not show it. */
function hintFor({ type }: Field): string | null {
  const { example } = takenBy({ type });
  if (type === 'SIGNATURE') return 'An image of the signature: PNG, JPEG, WebP or GIF, at most 25 MB.';
  if (type === 'IMAGE') return 'PNG, JPEG, WebP, GIF or HEIC, at most 25 MB.';
  if (type === 'FILE_UPLOAD') return 'At most 20 files of up to 25 MB.';
  if (type === 'DATE' || type === 'DATETIME' || example === undefined) return null;
  return `For example ${example}`;
}

/** What is wrong with a form, with ways to its fields. It is at the top of the page. */
export function problemSummary({ fields }: TaskData, { problems, messages }: FormState): Child {
  // Rules may have hidden a field meanwhile.
  const shown = fields.filter(({ id }) => problems.has(id));
  const known = new Set(shown.map(({ id }) => id));
  const elsewhere = [...problems].flatMap(([id, problem]) => (known.has(id) ? [] : [problem]));
  return errorSummary([
    ...formErrors([...messages, ...elsewhere], { ...commentField, ...emailField }, (property) =>
      property === 'email' ? emailFieldId : property,
    ),
    ...shown.map((field) => ({ fieldId: controlOf(field), message: problems.get(field.id) ?? '' })),
  ]);
}
