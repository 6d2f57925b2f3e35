import { eventNames, type EventName } from '@runward/contract';
import type { CreateWebhook, Template, UpdateWebhook, Webhook } from '@runward/sdk';
import { html, type Markup } from '../../html.ts';
import { checkBox } from '../forms/check-box.ts';
import { fieldErrors, type FormError } from '../forms/form-errors.ts';
import { textField } from '../forms/text-field.ts';
import { isChanged } from '../forms/was-fields.ts';
import { eventMeanings } from './event-meanings.ts';

/** The labels of the form, by the properties that the messages of the API name. */
export const webhookFields = {
  name: 'Name',
  url: 'Address',
  description: 'Description',
  enabledEvents: 'Events',
  templateIds: 'Only runs of these templates',
  ordered: 'Order',
  ownSecret: 'Signature',
} as const;

/** What the form has for a webhook. */
export function fieldsOfWebhook({
  name,
  url,
  description,
  enabledEvents,
  templateIds,
  ordered,
  ownSecret,
}: Webhook): URLSearchParams {
  return new URLSearchParams([
    ['name', name],
    ['url', url],
    ['description', description ?? ''],
    ...enabledEvents.map((event): [string, string] => ['enabledEvents', event]),
    ...templateIds.map((id): [string, string] => ['templateIds', id]),
    ...(ordered ? [['ordered', 'true'] as [string, string]] : []),
    ...(ownSecret ? [['ownSecret', 'true'] as [string, string]] : []),
  ]);
}

/** The webhook that a form describes. The endpoint rejects what does not fit. */
export function webhookOfFields(sent: URLSearchParams): CreateWebhook {
  const templateIds = sent.getAll('templateIds');
  return {
    name: sent.get('name') ?? '',
    url: (sent.get('url') ?? '').trim(),
    description: sent.get('description') || null,
    ordered: sent.get('ordered') === 'true',
    ownSecret: sent.get('ownSecret') === 'true',
    enabledEvents: sent.getAll('enabledEvents') as EventName[],
    ...(templateIds.length > 0 ? { templateMode: 'SELECTED_TEMPLATES', templateIds } : { templateMode: 'ALL_FLOWS' }),
  };
}

/** What a form changes about a webhook: what its visitor has changed. */
export function changesOfFields(sent: URLSearchParams): UpdateWebhook {
  const isSent = ([name]: [string, unknown]) => isChanged(sent, name === 'templateMode' ? 'templateIds' : name);
  return Object.fromEntries(Object.entries(webhookOfFields(sent)).filter(isSent));
}

/** The fields of the form with what was entered. */
export function renderFields(
  entered: URLSearchParams,
  errors: readonly FormError[],
  templates: readonly Template[],
): Markup {
  const known = new Set(templates.map(({ id }) => id));
  const others = entered.getAll('templateIds').filter((id) => !known.has(id));
  const text = (id: keyof typeof webhookFields) => ({
    id,
    label: webhookFields[id],
    value: entered.get(id) ?? '',
    errors,
  });
  return html`${textField({ ...text('name'), hint: 'Which program receives the events, like “Payroll”.' })}
    ${textField({
      ...text('url'),
      hint: 'It begins with https:// and can be reached from the internet.',
      attributes: html`inputmode="url" autocapitalize="none" spellcheck="false"`,
    })}
    ${textField({
      ...text('description'),
      label: html`${webhookFields.description} <span class="soft">(optional)</span>`,
      isOptional: true,
      rows: 2,
    })}
    <fieldset id="enabledEvents">
      <legend>${webhookFields.enabledEvents}</legend>
      ${fieldErrors(errors, 'enabledEvents')}
      ${eventNames.map((event) => checkBox('enabledEvents', event, html`${eventMeanings[event]} <code>${event}</code>`, entered))}
    </fieldset>
    <fieldset id="templateIds">
      <legend>${webhookFields.templateIds}</legend>
      <p class="note">Choose none for all of them.</p>
      ${fieldErrors(errors, 'templateIds')}
      <div class="pick">
        ${templates.map(({ id, name }) => checkBox('templateIds', id, html`<bdi>${name}</bdi>`, entered))}
        ${others.map((id) => checkBox('templateIds', id, html`Unknown template <code>${id}</code>`, entered))}
      </div>
    </fieldset>
    <fieldset id="ordered">
      <legend>${webhookFields.ordered}</legend>
      <p class="note">
        A delivery that fails then blocks all later ones until it succeeds or its last attempt has failed.
      </p>
      ${fieldErrors(errors, 'ordered')}
      ${checkBox('ordered', 'true', 'One delivery at a time, in the order of events', entered)}
    </fieldset>
    <fieldset id="ownSecret">
      <legend>${webhookFields.ownSecret}</legend>
      <p class="note">
        Its receiver then cannot sign for those of other webhooks. It rejects deliveries until it gets the secret.
      </p>
      ${checkBox('ownSecret', 'true', 'A secret of its own instead of that of the organization', entered)}
    </fieldset>`;
}
