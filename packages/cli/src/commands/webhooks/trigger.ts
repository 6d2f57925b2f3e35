import type { Client } from '@runward/sdk';
import { findId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { exitCodes, notFound } from '../../errors.ts';
import { eventNames } from '../../generated/values.ts';
import { collect, examples, oneOf, seconds } from '../../options.ts';
import { deliveryLine } from '../../output/layouts.ts';
import { printList } from '../../output/print.ts';
import { nextAttempt } from './attempt.ts';
import { deliveryLines } from './delivery-line.ts';

interface TriggerOptions {
  readonly webhook?: readonly string[];
  readonly wait: number;
}

type EventName = (typeof eventNames)[number];

/** `runward webhooks trigger`: sends a test event to the webhooks that subscribe to it. */
export function triggerEvent(webhooks: Command, action: Action): void {
  webhooks
    .command('trigger')
    .argument('<event>', `one of ${eventNames.join(', ')}`, oneOf(eventNames))
    .option(
      '--webhook <id|name>',
      'only to this webhook, also if it is disabled or not subscribed (repeatable)',
      collect,
    )
    .option('--wait <seconds>', 'how long to wait for the first attempts', seconds, 15)
    .addHelpText(
      'after',
      `\nEach webhook gets a delivery whose data.test is true, about the latest run of its templates. The exit code is 1 if a receiver
did not respond with a 2xx.\n${examples(
        'runward webhooks trigger run.completed',
        'runward webhooks trigger task.overdue --webhook CRM',
      )}`,
    )
    .action(
      action(async (cli, event: EventName, { webhook, wait }: TriggerOptions) => {
        const client = await cli.connectToChange(deliveryLine);
        const ids = webhook ? await idsOf(client, webhook) : await subscribed(client, event);
        const toLine = await deliveryLines(client);
        const deliveries = await Promise.all(
          ids.map(async (id) => nextAttempt(cli, client, await client.webhooks.test(id, { event }), wait)),
        );
        await printList(cli.output, deliveries.map(toLine), deliveryLine);
        return deliveries.every(({ status }) => status === 'SUCCEEDED') ? exitCodes.ok : exitCodes.failure;
      }),
    );
}

async function idsOf(client: Client, given: readonly string[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const each of given) ids.add(await findId(client, 'webhook', each));
  return [...ids];
}

async function subscribed({ webhooks }: Client, event: EventName): Promise<string[]> {
  const all = await Array.fromAsync(webhooks.list());
  const ids = all.flatMap(({ id, enabled, enabledEvents }) => (enabled && enabledEvents.includes(event) ? [id] : []));
  if (ids.length > 0) return ids;
  throw notFound(`No enabled webhook subscribes to ${event}. Name one with --webhook; see: runward webhooks list`);
}
