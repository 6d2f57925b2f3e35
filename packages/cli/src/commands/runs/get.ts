import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { examples } from '../../options.ts';
import { printRun } from './print-run.ts';
import { findRunId, runArgument } from '../../lookup/run.ts';

/** `runward runs get`. */
export function getRun(runs: Command, action: Action): void {
  runs
    .command('get')
    .argument('<run>', runArgument)
    .addHelpText('after', examples('runward runs get RUN -o json | jq \'.tasks[] | select(.status == "PENDING")\''))
    .action(
      action(async (cli, run: string) => {
        const client = await cli.connect();
        const id = await findRunId(client, run);
        const { runs } = client;
        await printRun(cli.output, await runs.get(id));
      }),
    );
}
