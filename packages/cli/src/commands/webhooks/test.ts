import { findId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { webhookArgument } from '../../lookup/webhook.ts';
import { examples, seconds } from '../../options.ts';
import { delivery } from '../../output/layouts.ts';
import { reportAttempt } from './attempt.ts';
import { readEvents } from './create.ts';

interface TestOptions {
  readonly event?: string;
  readonly wait: number;
}

/** `runward webhooks test`: sends a test delivery and waits for its first attempt. */
export function testWebhook(webhooks: Command, action: Action): void {
  webhooks
    .command('test')
    .argument('<webhook>', webhookArgument)
    .option('--event <name>', 'event to send (default: the first subscribed one)')
    .option('--wait <seconds>', 'how long to wait for the first attempt', seconds, 15)
    .addHelpText(
      'after',
      `\nThe exit code is 1 if the receiver did not respond with a 2xx.\n${examples('runward webhooks test ID')}`,
    )
    .action(
      action(async (cli, webhook: string, { event, wait }: TestOptions) => {
        const [name] = event === undefined ? [] : readEvents([event]);
        const client = await cli.connectToChange(delivery);
        const id = await findId(client, 'webhook', webhook);
        const sent = await client.webhooks.test(id, name === undefined ? {} : { event: name });
        return reportAttempt(cli, client, sent, wait);
      }),
    );
}
