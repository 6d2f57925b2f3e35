import { findId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { examples } from '../../options.ts';
import { template as layout } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { readText } from '../../terminal/input.ts';

interface ImportOptions {
  readonly name?: string;
  readonly folder?: string;
}

/** `runward templates import`. */
export function importTemplate(templates: Command, action: Action): void {
  templates
    .command('import')
    .argument('<token>', 'token of the share; - is stdin')
    .option('--name <name>', 'name of the new template (default: the name of the shared one)')
    .option('--folder <id|name>', 'folder of the new template')
    .addHelpText(
      'after',
      `\nPrints the new template, which is not published, and what was not imported.\n${examples(
        'runward templates import share_TOKEN --folder Procurement',
        'runward templates import - --name "Onboarding of partners" < token.txt',
      )}`,
    )
    .action(
      action(async (cli, given: string, { name, folder }: ImportOptions) => {
        const token = given === '-' ? (await readText(cli.io, given, 'the token')).trim() : given;
        const client = await cli.connect();
        const imported = await client.sharedTemplates.import(token, {
          name,
          folderId: folder === undefined ? undefined : await findId(client, 'folder', folder),
        });
        const { output } = cli;
        if (output.format === 'json' || output.format === 'jsonl') {
          const fields = Object.keys(imported);
          return printRecord(output, imported, { columns: fields, fields });
        }
        await printRecord(output, imported.template, layout);
        for (const { path, reason } of imported.dropped) cli.warn(`Not imported: ${path}. ${reason}`);
      }),
    );
}
