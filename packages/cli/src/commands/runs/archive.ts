import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { findRunIds, runArgument } from '../../lookup/run.ts';

/** `runward runs archive`. */
export function archiveRuns(runs: Command, action: Action): void {
  runs
    .command('archive')
    .argument('<run...>', `each: ${runArgument}`)
    .action(
      action(async (cli, given: string[]) => {
        const client = await cli.connect();
        const { runs } = client;
        const runIds = await findRunIds(client, given);
        const { archived } = await runs.archive({ runIds });
        cli.info(`${archived} of ${runIds.length} archived.`);
      }),
    );
}
