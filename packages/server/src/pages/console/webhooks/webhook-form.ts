import { eventNames, type EventName } from '@runward/contract';
import type { CreateWebhook, Template, Webhook } from '@runward/sdk';
import { html, type Child, type Markup } from '../../html.ts';
import { fieldErrors, type FormError } from '../form-errors.ts';
import { eventMeanings } from './event-meanings.ts';

const labels = {
  name: 'Name',
  url: 'Address',
  description: 'Description',
  enabledEvents: 'Events',
  templateIds: 'Only runs of these templates',
} as const;

/** The fields of the form, by the properties that the messages of the API name. */
export const webhookFields = new Map(Object.entries(labels).map(([fieldId, label]) => [fieldId, { fieldId, label }]));

/** What the form has for a webhook. */
export function fieldsOfWebhook({ name, url, description, enabledEvents, templateIds }: Webhook): URLSearchParams {
  return new URLSearchParams([
    ['name', name],
    ['url', url],
    ['description', description ?? ''],
    ...enabledEvents.map((event): [string, string] => ['enabledEvents', event]),
    ...templateIds.map((id): [string, string] => ['templateIds', id]),
  ]);
}

/** The webhook that a form describes. The endpoint rejects what does not fit. */
export function webhookOfFields(sent: URLSearchParams): CreateWebhook {
  const templateIds = sent.getAll('templateIds');
  return {
    name: sent.get('name') ?? '',
    url: (sent.get('url') ?? '').trim(),
    description: sent.get('description') || null,
    enabledEvents: sent.getAll('enabledEvents') as EventName[],
    ...(templateIds.length > 0 ? { templateMode: 'SELECTED_TEMPLATES', templateIds } : { templateMode: 'ALL_FLOWS' }),
  };
}

/** The fields of the form with what was entered. */
export function renderFields(
  entered: URLSearchParams,
  errors: readonly FormError[],
  templates: readonly Template[],
): Markup {
  // Browsers leave out the first line break of a text area.
  const description = `\n${entered.get('description') ?? ''}`;
  const known = new Set(templates.map(({ id }) => id));
  const others = entered.getAll('templateIds').filter((id) => !known.has(id));
  return html`<div class="field">
      <label for="name">${labels.name}</label>
      <p class="note">Which program receives the events, like “Payroll”.</p>
      ${fieldErrors(errors, 'name')}
      <input id="name" name="name" value="${entered.get('name') ?? ''}" required ${described('name')} />
    </div>
    <div class="field">
      <label for="url">${labels.url}</label>
      <p class="note">It begins with https:// and can be reached from the internet.</p>
      ${fieldErrors(errors, 'url')}
      <input
        id="url"
        name="url"
        inputmode="url"
        autocapitalize="none"
        spellcheck="false"
        value="${entered.get('url') ?? ''}"
        required
        ${described('url')}
      />
    </div>
    <div class="field">
      <label for="description">${labels.description} <span class="soft">(optional)</span></label>
      ${fieldErrors(errors, 'description')}
      <textarea id="description" name="description" rows="2" ${described('description')}>${description}</textarea>
    </div>
    <fieldset id="enabledEvents">
      <legend>${labels.enabledEvents}</legend>
      ${fieldErrors(errors, 'enabledEvents')}
      ${eventNames.map((event) => box('enabledEvents', event, html`${eventMeanings[event]} <code>${event}</code>`))}
    </fieldset>
    <fieldset id="templateIds">
      <legend>${labels.templateIds}</legend>
      <p class="note">Choose none for all of them.</p>
      ${fieldErrors(errors, 'templateIds')}
      <div class="pick">
        ${templates.map(({ id, name }) => box('templateIds', id, html`<bdi>${name}</bdi>`))}
        ${others.map((id) => box('templateIds', id, html`Unknown template <code>${id}</code>`))}
      </div>
    </fieldset>`;

  function described(id: string): Markup | false {
    return errors.some(({ fieldId }) => fieldId === id) && html`aria-invalid="true" aria-describedby="${id}-error"`;
  }

  function box(name: string, value: string, label: Child): Markup {
    const id = `${name}-${value}`;
    return html`<div class="choice">
      <input
        type="checkbox"
        id="${id}"
        name="${name}"
        value="${value}"
        ${entered.getAll(name).includes(value) && html`checked`}
      />
      <label for="${id}">${label}</label>
    </div>`;
  }
}
