import type { EventName } from '@runward/contract';
import { findId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { usage } from '../../errors.ts';
import { eventNames, specifiedEventNames } from '../../generated/values.ts';
import { collect, examples, lists } from '../../options.ts';
import { webhook } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';

interface CreateOptions {
  readonly name: string;
  readonly url: string;
  readonly event?: readonly string[];
  readonly template?: readonly string[];
  readonly description?: string;
  readonly ownSecret?: boolean;
  readonly ordered?: boolean;
  readonly disabled?: boolean;
}

/** `runward webhooks create`. */
export function createWebhook(webhooks: Command, action: Action): void {
  webhooks
    .command('create')
    .requiredOption('--name <name>', 'name of the webhook')
    .requiredOption('--url <url>', 'HTTPS endpoint that receives the events')
    .option('--event <names>', 'subscribed events, comma-separated (repeatable; default: the first nine)', lists)
    .option('--template <id|name>', 'only events of this template (repeatable)', collect)
    .option('--description <text>', 'free text')
    .option('--own-secret', 'sign with a secret of its own, which `webhooks secret` prints')
    .option('--ordered', 'send one delivery at a time, in the order of events; a failing one blocks later ones')
    .option('--disabled', 'create it disabled')
    .addHelpText(
      'after',
      `\nEvents: ${eventNames.join(', ')}\n${examples(
        'runward webhooks create --name CRM --url https://crm.example.com/hooks --event run.completed,task.overdue',
      )}`,
    )
    .action(
      action(async (cli, { name, url, event, template, description, ownSecret, ordered, disabled }: CreateOptions) => {
        const enabledEvents = readEvents(event ?? specifiedEventNames);
        const client = await cli.connectToChange(webhook);
        const templateIds: string[] = [];
        for (const idOrName of template ?? []) templateIds.push(await findId(client, 'template', idOrName));
        const created = await client.webhooks.create({
          name,
          url,
          enabledEvents,
          enabled: disabled !== true,
          ownSecret,
          ordered,
          description,
          ...(templateIds.length > 0 && { templateMode: 'SELECTED_TEMPLATES', templateIds }),
        });
        await printRecord(cli.output, created, webhook);
      }),
    );
}

/**
 * Reads the event names of an option.
 *
 * @throws CliError listing the unknown names
 */
export function readEvents(names: readonly string[]): EventName[] {
  const unknown = names.filter((name) => !eventNames.some((known) => known === name));
  if (unknown.length === 0) return eventNames.filter((known) => names.includes(known));
  throw usage(`Unknown event ${unknown.join(', ')}. Choose from ${eventNames.join(', ')}.`);
}
