import { leaf, type CommandTree } from '../tree.ts';

/** The hand-written commands of `runward webhooks`, which its help lists first. */
export const commands: CommandTree = {
  create: leaf('Create a webhook', async () => (await import('./create.ts')).createWebhook),
  test: leaf('Send a test delivery and report the result', async () => (await import('./test.ts')).testWebhook),
  enable: leaf('Deliver the events of a webhook again', async () => (await import('./enable.ts')).enableWebhook),
  disable: leaf('Let the deliveries of a webhook wait', async () => (await import('./enable.ts')).disableWebhook),
  trigger: leaf(
    'Send a test event to the webhooks that subscribe to it',
    async () => (await import('./trigger.ts')).triggerEvent,
  ),
  deliveries: leaf(
    'List recent deliveries, newest first',
    async () => (await import('./deliveries.ts')).listDeliveries,
  ),
  resend: leaf('Resend a delivery and report the result', async () => (await import('./resend.ts')).resendDelivery),
  replay: leaf('Resend the failed deliveries of a period', async () => (await import('./replay.ts')).replayDeliveries),
  listen: leaf(
    'Print events as they happen, and forward them to a local receiver',
    async () => (await import('./listen.ts')).listenForEvents,
  ),
  verify: leaf(
    'Verify a delivery whose raw body is on stdin',
    async () => (await import('./verify.ts')).verifyDelivery,
  ),
  sign: leaf('Sign a body from stdin and print the headers', async () => (await import('./sign.ts')).signBody),
};
