import type { Command } from 'commander';
import { action } from '../../cli.ts';
import { deliveryId, webhookId } from '../../lookup/ids.ts';
import { examples, seconds } from '../../options.ts';
import { tellAttempt } from './attempt.ts';

/** `runward webhooks resend`: sends a delivery once more and waits for its next attempt. */
export function resendDelivery(webhooks: Command): void {
  webhooks
    .command('resend')
    .description('Send a delivery once more and tell how it went')
    .argument('<webhook>', 'id of the webhook')
    .argument('<delivery>', 'id of the delivery')
    .option('--wait <seconds>', 'wait that long for the attempt', seconds, 15)
    .addHelpText(
      'after',
      `\nThe exit code is 1 when the receiver did not answer with a 2xx.\n${examples(
        'runward webhooks deliveries --status FAILED',
        'runward webhooks resend WEBHOOK DELIVERY',
      )}`,
    )
    .action(
      action(async (cli, webhook: string, delivery: string, { wait }: { wait: number }) => {
        const ids = [webhookId(webhook), deliveryId(delivery)] as const;
        const client = await cli.connect();
        return tellAttempt(client, await client.webhooks.resend(...ids), wait, cli.output);
      }),
    );
}
