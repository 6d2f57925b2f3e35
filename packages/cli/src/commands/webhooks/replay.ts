import type { Command } from 'commander';
import { action } from '../../cli.ts';
import { usage } from '../../errors.ts';
import { webhookId } from '../../lookup/ids.ts';
import { pastMoment } from '../../moment.ts';
import { examples, lists } from '../../options.ts';
import { replay as layout } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { canAsk, note } from '../../terminal/notes.ts';
import { askYesNo } from '../../terminal/prompts.ts';
import { readEvents } from './create.ts';

interface ReplayOptions {
  readonly from: string;
  readonly to?: string;
  readonly events?: readonly string[];
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `runward webhooks replay`: sends the failed deliveries of a time once more. */
export function replayDeliveries(webhooks: Command): void {
  webhooks
    .command('replay')
    .description('Send the failed deliveries of a time once more')
    .argument('<webhook>', 'id of the webhook')
    .requiredOption('--from <time>', 'of events since then: 90m, 2h or 3d ago, a day, or a moment', pastMoment)
    .option('--to <time>', 'of events before then (default: now)', pastMoment)
    .option('--events <names>', 'only of these events, separated by commas (repeatable)', lists)
    .option('--dry-run', 'only count them')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `\nOn a terminal it counts them and asks.\n${examples(
        'runward webhooks replay WEBHOOK --from 3d --dry-run',
        'runward webhooks replay WEBHOOK --from 2026-03-01T09:00Z --to 2026-03-01T12:00Z --events run.completed --yes',
      )}`,
    )
    .action(
      action(async (cli, webhook: string, { from, to, events, dryRun, yes }: ReplayOptions) => {
        if (!dryRun && !yes && !canAsk()) {
          throw usage('Nobody can be asked here. Give --yes to send them, or --dry-run to count them.');
        }
        const id = webhookId(webhook);
        const which = { from, ...(to !== undefined && { to }), ...(events && { events: readEvents(events) }) };
        const client = await cli.connect();
        const send = (dry: boolean) => client.webhooks.replay(id, { ...which, dryRun: dry });
        if (dryRun) return printRecord(cli.output, await send(true), layout);
        if (!yes) {
          const { count } = await send(true);
          if (count === 0) return note('No delivery of that time has failed.');
          if (!(await askYesNo(`Send ${count} failed deliveries once more?`, false))) return note('Nothing was sent.');
        }
        const sent = await send(false);
        await printRecord(cli.output, sent, layout);
        if (sent.count === 0) return;
        note(`They go out at no more than 20 a second. Look with: runward webhooks deliveries --webhook ${id}`);
      }),
    );
}
