import { setTimeout as pause } from 'node:timers/promises';
import type { Contract, Response } from '@runward/contract';
import type { Client } from '@runward/sdk';
import type { Command } from 'commander';
import { action } from '../../cli.ts';
import { exitCodes, usage } from '../../errors.ts';
import { isId } from '../../lookup/ids.ts';
import { examples, seconds } from '../../options.ts';
import { delivery as layout } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { note } from '../../terminal/notes.ts';
import { readEvents } from './create.ts';

type Delivery = Response<Contract['webhooks']['test']>;

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
      action(async (cli, id: string, { event, wait }: TestOptions) => {
        if (!isId(id)) throw usage(`"${id}" is no webhook id (a UUID). Find it with: runward webhooks list`);
        const [name] = event === undefined ? [] : readEvents([event]);
        const client = await cli.connect();
        const sent = await client.webhooks.test(id, name === undefined ? {} : { event: name });
        const delivery = await attempted(client, sent, wait);
        await printRecord(cli.output, delivery, layout);
        return tell(delivery);
      }),
    );
}

async function attempted({ webhooks }: Client, sent: Delivery, wait: number): Promise<Delivery> {
  const end = Date.now() + wait * 1000;
  let delivery = sent;
  while (delivery.attempts.length === 0 && delivery.status === 'PENDING' && Date.now() < end) {
    await pause(250);
    const recent = await webhooks.webhookDeliveries(sent.webhookId, { limit: 20 });
    delivery = recent.data.find(({ id }) => id === sent.id) ?? delivery;
  }
  return delivery;
}

function tell({ status, attempts }: Delivery): number {
  const last = attempts.at(-1);
  if (status === 'SUCCEEDED') {
    note(`Delivered: ${last?.statusCode} in ${last?.durationMs} ms.`);
    return exitCodes.ok;
  }
  if (!last) {
    note('There was no attempt yet. Look again with: runward api GET /webhooks/deliveries');
    return exitCodes.failure;
  }
  note(`Not delivered: ${last.error ?? `the receiver answered ${last.statusCode}`}.`);
  return exitCodes.failure;
}
