import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { lazyPage } from '../lazy-page.ts';

const webhook = `${consolePaths.webhooks}/:id` as const;
const delivery = `${webhook}/deliveries/:deliveryId` as const;

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
  consoleWebhooks: lazyPage(
    'GET',
    consolePaths.webhooks,
    async () => (await import('./list-webhooks.ts')).listWebhooks,
  ),
  consoleDeliveries: lazyPage(
    'GET',
    `${consolePaths.webhooks}/deliveries`,
    async () => (await import('./list-deliveries.ts')).listDeliveries,
  ),
  consoleNewWebhook: lazyPage('GET', `${consolePaths.webhooks}/new`, async () => (await saving()).newWebhook),
  consoleCreateWebhook: lazyPage('POST', `${consolePaths.webhooks}/new`, async () => (await saving()).createWebhook, {
    maximumFormBytes,
  }),
  consoleWebhook: lazyPage('GET', webhook, async () => (await import('./webhook.ts')).showWebhook),
  consoleEditWebhook: lazyPage('GET', `${webhook}/edit`, async () => (await saving()).editWebhook),
  consoleUpdateWebhook: lazyPage('POST', `${webhook}/edit`, async () => (await saving()).updateWebhook, {
    maximumFormBytes,
  }),
  consoleEnableWebhook: lazyPage('POST', `${webhook}/enabled`, async () => (await changing()).setEnabled),
  consoleTestWebhook: lazyPage('POST', `${webhook}/test`, async () => (await changing()).sendTest),
  consoleDeleteWebhook: lazyPage('GET', `${webhook}/delete`, async () => (await deleting()).confirmDeletion),
  consoleDeletedWebhook: lazyPage('POST', `${webhook}/delete`, async () => (await deleting()).deleteWebhook),
  consoleWebhookSecret: lazyPage('GET', `${webhook}/secret`, async () => (await signing()).showWebhookSecret),
  consoleRotateWebhookSecret: lazyPage(
    'POST',
    `${webhook}/secret/rotate`,
    async () => (await signing()).rotateWebhookSecret,
  ),
  consoleReplay: lazyPage('GET', `${webhook}/replay`, async () => (await replaying()).askForReplay),
  consoleReplayed: lazyPage('POST', `${webhook}/replay`, async () => (await replaying()).replay),
  consoleDelivery: lazyPage('GET', delivery, async () => (await delivering()).showDelivery),
  consoleResend: lazyPage('POST', `${delivery}/resend`, async () => (await delivering()).resend),
};
