import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { printRun } from './print-run.ts';
import { findRunId, runArgument } from '../../lookup/run.ts';

/** `runward runs reopen`. */
export function reopenRun(runs: Command, action: Action): void {
  runs
    .command('reopen')
    .argument('<run>', runArgument)
    .action(
      action(async (cli, run: string) => {
        const client = await cli.connect();
        const id = await findRunId(client, run);
        const { runs } = client;
        await printRun(cli.output, await runs.reopen(id));
      }),
    );
}
