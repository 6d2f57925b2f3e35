import { type Webhook } from '@runward/sdk';
import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { rejectedFields, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import type { FormError } from '../forms/form-errors.ts';
import { wasFields } from '../forms/was-fields.ts';
import { loadTemplates } from './template-names.ts';
import { changesOfFields, fieldsOfWebhook, renderFields, webhookFields, webhookOfFields } from './webhook-form.ts';
import { webhookPath } from './webhook-path.ts';

/** How the form differs for a new webhook and for one that is changed. */
interface Purpose {
  readonly title: string;
  readonly button: string;
  readonly back: string;
  /** What is changed. */
  readonly webhook?: Webhook;
}

const creation: Purpose = { title: 'Create a webhook', button: 'Create the webhook', back: consolePaths.webhooks };

/** The form for a new webhook. */
export async function newWebhook(request: ConsoleRequest): Promise<ConsoleView> {
  return form(request, creation, new URLSearchParams(), []);
}

/** Creates a webhook. If something is wrong, the form is shown again with what was entered. */
export async function createWebhook(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  return save(request, creation, 'webhookCreated', (sent) => request.api.webhooks.create(webhookOfFields(sent)));
}

/** The form for changing a webhook. */
export async function editWebhook(request: ConsoleRequest): Promise<ConsoleView> {
  const webhook = await request.api.webhooks.get(request.params['id'] ?? '');
  return form(request, changeOf(webhook), fieldsOfWebhook(webhook), []);
}

/** Changes a webhook. If something is wrong, the form is shown again with what was entered. */
export async function updateWebhook(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const webhook = await request.api.webhooks.get(request.params['id'] ?? '');
  return save(request, changeOf(webhook), 'changed', (sent) =>
    request.api.webhooks.update(webhook.id, changesOfFields(sent)),
  );
}

function changeOf(webhook: Webhook): Purpose {
  return { title: `Edit ${webhook.name}`, button: 'Save', back: webhookPath(webhook.id), webhook };
}

async function save(
  request: ConsoleRequest,
  purpose: Purpose,
  notice: string,
  call: (sent: URLSearchParams) => Promise<Webhook>,
): Promise<ConsoleView | Redirect> {
  try {
    const { id } = await call(request.form);
    return { redirectTo: `${webhookPath(id)}?notice=${notice}` };
  } catch (error) {
    return form(request, purpose, request.form, rejectedFields(error, webhookFields));
  }
}

async function form(
  request: ConsoleRequest,
  { title, button, back, webhook }: Purpose,
  entered: URLSearchParams,
  errors: readonly FormError[],
): Promise<ConsoleView> {
  const main = html`<form class="form" method="post" action="${request.path}">
    ${request.csrf} ${webhook && wasFields(fieldsOfWebhook(webhook), Object.keys(webhookFields), request.form)}
    ${renderFields(entered, errors, await loadTemplates(request))}
    <div class="actions">
      <button type="submit">${button}</button>
      <a class="button quiet" href="${back}">Cancel</a>
    </div>
  </form>`;
  return { title, section: 'webhooks', errors, main };
}
