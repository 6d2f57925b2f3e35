import type { Command } from 'commander';
import type { Action } from '../../cli.ts';
import { runId } from '../../lookup/ids.ts';

/** `runward runs unarchive`. */
export function unarchiveRuns(runs: Command, action: Action): void {
  runs
    .command('unarchive')
    .description('Bring archived runs back into lists and counts')
    .argument('<run...>', 'IDs of the runs')
    .action(
      action(async (cli, given: string[]) => {
        const runIds = given.map(runId);
        const { runs } = await cli.connect();
        const { unarchived } = await runs.unarchive({ runIds });
        cli.info(`${unarchived} of ${runIds.length} unarchived.`);
      }),
    );
}
