import { findId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { webhookArgument } from '../../lookup/webhook.ts';
import { webhook as layout } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';

/** `runward webhooks enable`: delivers waiting events, and clears the reason why the service disabled the webhook. */
export function enableWebhook(webhooks: Command, action: Action): void {
  addSwitch(webhooks.command('enable'), action, true);
}

/** `runward webhooks disable`: deliveries wait. */
export function disableWebhook(webhooks: Command, action: Action): void {
  addSwitch(webhooks.command('disable'), action, false);
}

function addSwitch(command: Command, action: Action, enabled: boolean): void {
  command.argument('<webhook>', webhookArgument).action(
    action(async (cli, webhook: string) => {
      const client = await cli.connectToChange(layout);
      const id = await findId(client, 'webhook', webhook);
      await printRecord(cli.output, await client.webhooks.update(id, { enabled }), layout);
    }),
  );
}
