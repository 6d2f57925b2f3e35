import { findId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { deliveryStatuses } from '../../generated/values.ts';
import { choice, examples } from '../../options.ts';
import { deliveryLine } from '../../output/layouts.ts';
import {
  addBoundedPaging,
  addMaxStale,
  pageQuery,
  printPages,
  type BoundedPagingOptions,
  type StaleOptions,
} from '../list.ts';
import { readEvents } from './create.ts';
import { deliveryLines } from './delivery-line.ts';

interface DeliveriesOptions extends BoundedPagingOptions, StaleOptions {
  readonly webhook?: string;
  readonly event?: string;
  readonly status?: (typeof deliveryStatuses)[number];
}

/** `runward webhooks deliveries`. */
export function listDeliveries(webhooks: Command, action: Action): void {
  const command = webhooks
    .command('deliveries')
    .option('--webhook <id|name>', 'only deliveries of this webhook')
    .option('--event <name>', 'only deliveries of this event')
    .addOption(choice('--status <status>', 'only deliveries with this status', deliveryStatuses))
    .addHelpText(
      'after',
      examples(
        'runward webhooks deliveries --status FAILED',
        "runward webhooks deliveries --webhook ID -o jsonl | jq -c '.attempts'",
      ),
    );
  addMaxStale(addBoundedPaging(command)).action(
    action(async (cli, { webhook, event, status, ...paging }: DeliveriesOptions) => {
      const [name] = event === undefined ? [] : readEvents([event]);
      const client = await cli.connect();
      const query = {
        webhookId: webhook === undefined ? undefined : await findId(client, 'webhook', webhook),
        event: name,
        status,
        ...pageQuery(paging),
      };
      const toLine = await deliveryLines(client);
      const list = client.webhooks.deliveries(query, { maxStaleSeconds: paging.maxStale });
      await printPages(cli, list, paging, deliveryLine, toLine);
    }),
  );
}
