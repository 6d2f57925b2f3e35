import { findId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { readId } from '../../lookup/ids.ts';
import { webhookArgument } from '../../lookup/webhook.ts';
import { examples, seconds } from '../../options.ts';
import { delivery as layout } from '../../output/layouts.ts';
import { reportAttempt } from './attempt.ts';

/** `runward webhooks resend`: resends a delivery and waits for the attempt. */
export function resendDelivery(webhooks: Command, action: Action): void {
  webhooks
    .command('resend')
    .argument('<webhook>', webhookArgument)
    .argument('<delivery>', 'ID of the delivery')
    .option('--wait <seconds>', 'how long to wait for the attempt', seconds, 15)
    .addHelpText(
      'after',
      `\nThe exit code is 1 if the receiver did not respond with a 2xx.\n${examples(
        'runward webhooks deliveries --status FAILED',
        'runward webhooks resend WEBHOOK DELIVERY',
      )}`,
    )
    .action(
      action(async (cli, webhook: string, delivery: string, { wait }: { wait: number }) => {
        const id = readId('delivery', delivery);
        const client = await cli.connectToChange(layout);
        const sent = await client.webhooks.resend(await findId(client, 'webhook', webhook), id);
        return reportAttempt(cli, client, sent, wait);
      }),
    );
}
