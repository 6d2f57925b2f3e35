import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { pagesBelow } from '../lazy-page.ts';

const page = pagesBelow(consolePaths.webhooks);

/** A form can name a thousand templates. */
const maximumFormBytes = 65_536;

const saving = () => import('./save-webhook.ts');
const changing = () => import('./change-webhook.ts');
const deleting = () => import('./delete-webhook.ts');
const signing = () => import('./webhook-secret.ts');
const replaying = () => import('./replay.ts');
const delivering = () => import('./delivery.ts');

/** The pages of webhooks and their deliveries. */
export const webhookPages: Readonly<Record<string, Page>> = {
  consoleWebhooks: page('GET', '', async () => (await import('./list-webhooks.ts')).listWebhooks),
  consoleDeliveries: page('GET', '/deliveries', async () => (await import('./list-deliveries.ts')).listDeliveries),
  consoleNewWebhook: page('GET', '/new', async () => (await saving()).newWebhook),
  consoleCreateWebhook: page('POST', '/new', async () => (await saving()).createWebhook, { maximumFormBytes }),
  consoleWebhook: page('GET', '/:id', async () => (await import('./webhook.ts')).showWebhook),
  consoleEditWebhook: page('GET', '/:id/edit', async () => (await saving()).editWebhook),
  consoleUpdateWebhook: page('POST', '/:id/edit', async () => (await saving()).updateWebhook, { maximumFormBytes }),
  consoleEnableWebhook: page('POST', '/:id/enabled', async () => (await changing()).setEnabled),
  consoleTestWebhook: page('POST', '/:id/test', async () => (await changing()).sendTest),
  consoleDeleteWebhook: page('GET', '/:id/delete', async () => (await deleting()).confirmDeletion),
  consoleDeletedWebhook: page('POST', '/:id/delete', async () => (await deleting()).deleteWebhook),
  consoleWebhookSecret: page('GET', '/:id/secret', async () => (await signing()).showWebhookSecret),
  consoleRotateWebhookSecret: page('POST', '/:id/secret/rotate', async () => (await signing()).rotateWebhookSecret),
  consoleReplay: page('GET', '/:id/replay', async () => (await replaying()).askForReplay),
  consoleReplayed: page('POST', '/:id/replay', async () => (await replaying()).replay),
  consoleDelivery: page('GET', '/:id/deliveries/:deliveryId', async () => (await delivering()).showDelivery),
  consoleResend: page('POST', '/:id/deliveries/:deliveryId/resend', async () => (await delivering()).resend),
};
