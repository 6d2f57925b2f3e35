import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { fileId } from '../../lookup/ids.ts';
import { examples } from '../../options.ts';
import { scanResult } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';

/** `runward files status`. */
export function fileStatus(files: Command, action: Action): void {
  files
    .command('status')
    .argument('<file>', 'ID of a file')
    .addHelpText('after', examples('runward files status FILE'))
    .action(
      action(async (cli, file: string) => {
        const id = fileId(file);
        const client = await cli.connect();
        await printRecord(cli.output, await client.files.scanStatus(id), scanResult);
      }),
    );
}
