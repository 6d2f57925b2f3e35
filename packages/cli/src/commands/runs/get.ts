import type { Command } from 'commander';
import type { Action } from '../../cli.ts';
import { runId } from '../../lookup/ids.ts';
import { examples } from '../../options.ts';
import { printRun } from './print-run.ts';

/** `runward runs get`. */
export function getRun(runs: Command, action: Action): void {
  runs
    .command('get')
    .description('Print a run with its tasks')
    .argument('<run>', 'ID of the run')
    .addHelpText('after', examples('runward runs get RUN -o json | jq \'.tasks[] | select(.status == "PENDING")\''))
    .action(
      action(async (cli, run: string) => {
        const id = runId(run);
        const { runs } = await cli.connect();
        await printRun(cli.output, await runs.get(id));
      }),
    );
}
