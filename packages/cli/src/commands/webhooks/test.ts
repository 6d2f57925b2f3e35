import type { Command } from 'commander';
import { action } from '../../cli.ts';
import { webhookId } from '../../lookup/ids.ts';
import { examples, seconds } from '../../options.ts';
import { tellAttempt } from './attempt.ts';
import { readEvents } from './create.ts';

interface TestOptions {
  readonly event?: string;
  readonly wait: number;
}

/** `runward webhooks test`: sends a test delivery and waits for its first attempt. */
export function testWebhook(webhooks: Command): void {
  webhooks
    .command('test')
    .description('Send a test delivery and tell how it went')
    .argument('<webhook>', 'id of the webhook')
    .option('--event <name>', 'event to send (default: the first it hears)')
    .option('--wait <seconds>', 'wait that long for the first attempt', seconds, 15)
    .addHelpText(
      'after',
      `\nThe exit code is 1 when the receiver did not answer with a 2xx.\n${examples('runward webhooks test ID')}`,
    )
    .action(
      action(async (cli, webhook: string, { event, wait }: TestOptions) => {
        const id = webhookId(webhook);
        const [name] = event === undefined ? [] : readEvents([event]);
        const client = await cli.connect();
        const sent = await client.webhooks.test(id, name === undefined ? {} : { event: name });
        return tellAttempt(client, sent, wait, cli.output);
      }),
    );
}
