import type { Field } from '@runward/sdk';
import { assetPath } from '../../assets.ts';
import { html, type Child, type Markup } from '../../html.ts';
import { sent } from '../scripted.ts';
import { controlOf, fileTypes } from './answers.ts';
import { formId, searchName, type Choice, type FormState } from './form-state.ts';
import { fileLink } from './show-value.ts';
import type { TaskData } from './task-data.ts';

/** A field on a page. */
export interface FieldOnPage {
  readonly field: Field;
  readonly data: TaskData;
  readonly state: FormState;
  /** Where the form is sent. */
  readonly action: string;
  /** Attributes that connect the control with its help and its error. */
  readonly described: Child;
}

/** The most members and options that one control offers. */
const maximumMembers = 200;
const maximumRadios = 5;

/** Types with one line of text, by the type of their control. */
const inputs: Partial<Record<Field['type'], Markup>> = {
  TEXT: html`type="text"`,
  NUMBER: html`type="text" inputmode="decimal"`,
  EMAIL: html`type="email"`,
  URL: html`type="url"`,
  PHONE: html`type="tel"`,
  DATE: html`type="date"`,
  DATETIME: html`type="datetime-local"`,
};

/** Whether the control of a field consists of several, so that its label is the legend of a group. */
export function isGroup({ type, options }: Field): boolean {
  return (
    type === 'MULTI_SELECT' ||
    type === 'DATA_SOURCE' ||
    fileTypes.has(type) ||
    (type === 'DROPDOWN' && options.length <= maximumRadios)
  );
}

/** What people fill in for a field. */
export function control(on: FieldOnPage): Child {
  const { field, state, described } = on;
  const name = controlOf(field);
  const answer = state.answers.get(field.id) ?? '';
  const options = field.options.map(({ key, label }) => ({ value: key, label }));
  if (fileTypes.has(field.type)) return attached(on);
  switch (field.type) {
    case 'CHECKBOX':
      return html`<input
        type="checkbox"
        id="${name}"
        name="${name}"
        value="true"
        ${answer === 'true' && html`checked`}
        ${described}
      />`;
    case 'MULTI_SELECT':
      return boxes('checkbox', on, options, answer === '' ? [] : answer.split(','));
    case 'DROPDOWN':
      return isGroup(field)
        ? boxes('radio', on, [...(field.required ? [] : [noAnswer]), ...withCurrent(options, answer, answer)], [answer])
        : select(on, withCurrent(options, answer, answer), answer);
    case 'USER':
      return member(on, answer);
    case 'DATA_SOURCE':
      return row(on, answer);
    default:
  }
  const input = inputs[field.type];
  // A line cannot contain the breaks that a text may have.
  if (!input || answer.includes('\n')) {
    return html`<textarea id="${name}" name="${name}" rows="5" ${described}>${'\n'}${answer}</textarea>`;
  }
  return html`<input ${input} id="${name}" name="${name}" value="${answer}" ${described} />`;
}

const noAnswer: Choice = { value: '', label: 'No answer' };

/** Choices in which the current one is, also if it is not offered any more. */
function withCurrent(choices: readonly Choice[], value: string, label: string): Choice[] {
  const isOffered = value === '' || choices.some((choice) => choice.value === value);
  return isOffered ? [...choices] : [{ value, label }, ...choices];
}

function select({ field, described }: FieldOnPage, choices: readonly Choice[], answer: string): Markup {
  const name = controlOf(field);
  return html`<select id="${name}" name="${name}" ${described}>
    ${[noAnswer, ...choices].map(
      ({ value, label }) => html`<option value="${value}" ${value === answer && html`selected`}>${label}</option>`,
    )}
  </select>`;
}

function boxes(
  type: 'radio' | 'checkbox',
  { field }: FieldOnPage,
  choices: readonly Choice[],
  chosen: readonly string[],
): Markup {
  const name = controlOf(field);
  return html`<div class="choices">
    ${choices.map(
      ({ value, label }, index) =>
        html`<label
          ><input
            type="${type}"
            id="${index === 0 ? name : `${name}-${index}`}"
            name="${name}"
            value="${value}"
            ${chosen.includes(value) && html`checked`}
          />
          ${label}</label
        >`,
    )}
  </div>`;
}

function member(on: FieldOnPage, answer: string): Child {
  const { data, state, field } = on;
  const { active: members, nameOf } = data.people;
  const found = state.found.get(field.id)?.choices;
  const offered = found ?? members.slice(0, maximumMembers).map(({ id, name }) => ({ value: id, label: name }));
  return html`${select(on, withCurrent(offered, answer, nameOf(answer)), answer)}
  ${members.length > maximumMembers && searchField(on, 'Search for a member by name', 'Search')}
  ${found?.length === 0 && html`<p class="note">No member was found. Search for a part of the name.</p>`}`;
}

function row(on: FieldOnPage, answer: string): Child {
  const { field, data, state } = on;
  const { choices: found, hasMore } = state.found.get(field.id) ?? { choices: [], hasMore: false };
  const saved = data.form.entry?.fieldValues.find(({ runTaskFieldId }) => runTaskFieldId === field.id);
  const label = (saved?.value === answer ? saved.rowLabel : null) ?? 'The row that you chose';
  const choices = withCurrent(found, answer, label);
  return html`${choices.length > 0 && boxes('radio', on, [noAnswer, ...choices], [answer])}
  ${state.searches.has(field.id) && found.length === 0 && html`<p class="note">No row was found. Try another text.</p>`}
  ${hasMore && html`<p class="note">More rows match. Search for a longer text to see them.</p>`}
  ${searchField(on, 'Search for a row', 'Look up', choices.length === 0)}`;
}

function searchField(
  { field, state, action: to }: FieldOnPage,
  label: string,
  button: string,
  isFirst = false,
): Markup {
  const name = searchName(field);
  const action = `search:${field.id}`;
  return html`<div class="search">
    <input
      type="search"
      id="${isFirst ? controlOf(field) : name}"
      name="${name}"
      value="${state.searches.get(field.id) ?? ''}"
      maxlength="200"
      aria-label="${label}: ${field.label}"
      ${sent({ to, on: 'input changed delay:300ms', action, replaces: formId })}
    />
    <button
      type="submit"
      class="quiet"
      name="action"
      value="${action}"
      aria-label="${button}: ${field.label}"
      formnovalidate
    >
      ${button}
    </button>
  </div>`;
}

function attached({ field, data, described }: FieldOnPage): Child {
  const own = data.files.filter(
    ({ runTaskFieldId, executionEntryId }) => runTaskFieldId === field.id && executionEntryId === data.form.entry?.id,
  );
  const name = controlOf(field);
  return html`${
      own.length > 0 &&
      html`<ul class="files">
        ${own.map(
          ({ id, fileName }) =>
            html`<li>
              ${fileLink(own, id)}
              <button
                type="submit"
                class="quiet"
                name="action"
                value="remove:${id}"
                aria-label="Delete ${fileName}"
                formnovalidate
              >
                Delete
              </button>
            </li>`,
        )}
      </ul>`
    }
    ${field.type === 'SIGNATURE' && signaturePad(field)}
    <div class="search">
      <input
        type="file"
        id="${name}"
        name="file"
        form="upload-${field.id}"
        ${field.type !== 'FILE_UPLOAD' && html`accept="image/*"`}
        aria-label="${field.type === 'FILE_UPLOAD' ? 'File' : 'Image'} for ${field.label}"
        required
        ${described}
      />
      <button
        type="submit"
        class="quiet without-scripts"
        form="upload-${field.id}"
        aria-label="Upload for ${field.label}"
      >
        Upload
      </button>
    </div>
    <p class="note without-scripts">Save your other answers before you upload: they are not sent with the file.</p>`;
}

/** Where scripts let one draw a signature. It is uploaded like a file. */
function signaturePad({ id, label }: Field): Markup {
  return html`<div
    class="signature with-scripts"
    data-signature="${assetPath('signature-pad.js')}"
    data-form="upload-${id}"
    hx-morph-skip
  >
    <canvas role="img" aria-label="Area to draw: ${label}"></canvas>
    <div class="actions">
      <button type="button" class="quiet" data-signature-action="sign">Use this signature</button>
      <button type="button" class="quiet" data-signature-action="clear">Clear</button>
      <span class="note">Draw above, or choose an image below.</span>
    </div>
  </div>`;
}
