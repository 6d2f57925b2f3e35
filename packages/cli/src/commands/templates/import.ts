import { findId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { fields } from '../../generated/fields.ts';
import { examples } from '../../options.ts';
import type { Layout } from '../../output/cells.ts';
import { template as layout } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { readText } from '../../terminal/input.ts';

const whole: Layout = { columns: fields.ImportedTemplate, fields: fields.ImportedTemplate, model: 'ImportedTemplate' };

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
        const { output } = cli;
        const isJson = output.format === 'json' || output.format === 'jsonl';
        const client = await cli.connectToChange(isJson ? whole : layout);
        const imported = await client.sharedTemplates.import(token, {
          name,
          folderId: folder === undefined ? undefined : await findId(client, 'folder', folder),
        });
        if (isJson) return printRecord(output, imported, whole);
        await printRecord(output, imported.template, layout);
        for (const { path, reason } of imported.dropped) cli.warn(`Not imported: ${path}. ${reason}`);
      }),
    );
}
