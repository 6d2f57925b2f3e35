import type { Webhook } from '@runward/sdk';
import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { rotateSecretOf } from '../secret/rotate-secret.ts';
import { showSecretOf } from '../secret/secret.ts';
import type { Signer } from '../secret/signer.ts';
import { webhookCrumbs } from './webhook-crumbs.ts';
import { webhookPath } from './webhook-path.ts';

/** The own signing secret of a webhook, or how to give it one. */
export async function showWebhookSecret(request: ConsoleRequest): Promise<ConsoleView> {
  const webhook = await request.api.webhooks.get(request.params['id'] ?? '');
  return webhook.ownSecret ? showSecretOf(webhookAsSigner(request, webhook), request) : withoutSecret(webhook);
}

/** Rotates the own signing secret of a webhook. */
export async function rotateWebhookSecret(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const webhook = await request.api.webhooks.get(request.params['id'] ?? '');
  // Somebody else may have taken the secret away since the form was shown.
  return webhook.ownSecret
    ? rotateSecretOf(webhookAsSigner(request, webhook), request)
    : { redirectTo: `${webhookPath(webhook.id)}/secret` };
}

function webhookAsSigner({ api }: ConsoleRequest, { id, name }: Webhook): Signer {
  return {
    path: `${webhookPath(id)}/secret`,
    title: `Signing secret of ${name}`,
    section: 'webhooks',
    lead: html`${webhookCrumbs({ id, name })}
      <p class="lead">The deliveries of this webhook are signed with this secret, and those of no other.</p>`,
    read: () => api.webhooks.secret(id),
    rotate: (body) => api.webhooks.rotateSecret(id, body),
  };
}

function withoutSecret({ id, name }: Webhook): ConsoleView {
  const main = html`${webhookCrumbs({ id, name })}
    <p class="lead">This webhook has no secret of its own: that of the organization signs its deliveries.</p>
    <p class="actions"><a class="button quiet" href="${webhookPath(id)}/edit">Edit the webhook…</a></p>`;
  return { title: `Signing secret of ${name}`, section: 'webhooks', main };
}
