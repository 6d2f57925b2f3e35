import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { deliveryId, webhookId } from '../../lookup/ids.ts';
import { examples, seconds } from '../../options.ts';
import { reportAttempt } from './attempt.ts';

/** `runward webhooks resend`: resends a delivery and waits for the attempt. */
export function resendDelivery(webhooks: Command, action: Action): void {
  webhooks
    .command('resend')
    .argument('<webhook>', 'ID of the webhook')
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
        const ids = [webhookId(webhook), deliveryId(delivery)] as const;
        const client = await cli.connect();
        return reportAttempt(cli, client, await client.webhooks.resend(...ids), wait);
      }),
    );
}
