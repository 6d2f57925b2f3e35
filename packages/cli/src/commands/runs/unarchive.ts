import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { findRunIds, runArgument } from '../../lookup/run.ts';

/** `runward runs unarchive`. */
export function unarchiveRuns(runs: Command, action: Action): void {
  runs
    .command('unarchive')
    .argument('<run...>', `each: ${runArgument}`)
    .action(
      action(async (cli, given: string[]) => {
        const client = await cli.connect();
        const { runs } = client;
        const runIds = await findRunIds(client, given);
        const { unarchived } = await runs.unarchive({ runIds });
        cli.info(`${unarchived} of ${runIds.length} unarchived.`);
      }),
    );
}
