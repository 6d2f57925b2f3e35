import { findId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { usage } from '../../errors.ts';
import { webhookArgument } from '../../lookup/webhook.ts';
import { examples, lists } from '../../options.ts';
import { replay as layout } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { pastTime } from '../../time.ts';
import { readEvents } from './create.ts';

interface ReplayOptions {
  readonly from: string;
  readonly to?: string;
  readonly event?: readonly string[];
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `runward webhooks replay`: resends the failed deliveries of a period. */
export function replayDeliveries(webhooks: Command, action: Action): void {
  webhooks
    .command('replay')
    .argument('<webhook>', webhookArgument)
    .requiredOption(
      '--from <time>',
      'only events since then: 90m, 2h or 3d ago, a date, or a date with a time',
      pastTime,
    )
    .option('--to <time>', 'only events before then (default: now)', pastTime)
    .option('--event <names>', 'only these events, comma-separated (repeatable)', lists)
    .option('--dry-run', 'only count the deliveries')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      `\nOn a terminal, it counts the deliveries and asks for confirmation.\n${examples(
        'runward webhooks replay WEBHOOK --from 3d --dry-run',
        'runward webhooks replay WEBHOOK --from 2026-03-01T09:00Z --to 2026-03-01T12:00Z --event run.completed --yes',
      )}`,
    )
    .action(
      action(async (cli, webhook: string, { from, to, event, dryRun, yes }: ReplayOptions) => {
        const { prompts, output, info } = cli;
        if (!dryRun && !yes && !prompts) {
          throw usage('No terminal to ask on. Use --yes to resend the deliveries, or --dry-run to count them.');
        }
        const which = { from, to, events: event && readEvents(event) };
        const client = await cli.connectToChange(layout);
        const id = await findId(client, 'webhook', webhook);
        const send = (dry: boolean) => client.webhooks.replay(id, { ...which, dryRun: dry });
        if (dryRun) return printRecord(output, await send(true), layout);
        if (!yes && prompts) {
          const { count } = await send(true);
          if (count === 0) return info('No delivery failed in that period.');
          if (!(await prompts.yesNo(`Resend ${count} failed deliveries?`, false))) return info('Nothing was sent.');
        }
        const sent = await send(false);
        await printRecord(output, sent, layout);
        if (sent.count === 0) return;
        info(`At most 20 are sent per second. Check them with: runward webhooks deliveries --webhook ${id}`);
      }),
    );
}
