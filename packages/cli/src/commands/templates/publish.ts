import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { version } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';

/** `runward templates publish`. */
export function publishTemplate(templates: Command, action: Action): void {
  templates
    .command('publish')
    .argument('<template>', 'ID or name')
    .option('--note <text>', 'what is new; shown in the list of versions')
    .action(
      action(async (cli, idOrName: string, { note }: { readonly note?: string }) => {
        const client = await cli.connect();
        const { id } = await find(client, 'template', idOrName);
        await printRecord(cli.output, await client.templates.publish(id, note === undefined ? {} : { note }), version);
      }),
    );
}
