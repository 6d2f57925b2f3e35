import type { Command } from 'commander';
import type { Action } from '../../cli.ts';
import { findTemplate } from '../../lookup/template.ts';
import { examples } from '../../options.ts';
import { template as layout } from '../../output/layouts.ts';
import { printList, printRecord, type Output } from '../../output/print.ts';
import { toJson } from '../../output/printable.ts';
import { compact, readDraft, toFile, type Draft } from '../../template-file/draft.ts';

/** `runward templates get`. */
export function getTemplate(templates: Command, action: Action): void {
  templates
    .command('get')
    .description('Print a template with the phases, tasks and variables of its draft')
    .argument('<template>', 'ID or name')
    .option('--as-file', 'print the JSON file that push takes')
    .addHelpText(
      'after',
      examples('runward templates get Onboarding', 'runward templates get Onboarding --as-file > onboarding.json'),
    )
    .action(
      action(async (cli, idOrName: string, { asFile }: { readonly asFile?: boolean }) => {
        const client = await cli.connect();
        const draft = await readDraft(client, await findTemplate(client, idOrName));
        if (asFile) cli.output.write(toJson(compact(toFile(draft)), 2));
        else await printDraft(cli.output, draft);
      }),
    );
}

async function printDraft(output: Output, { template, document }: Draft): Promise<void> {
  const parts = ['phases', 'tasks', 'variables'];
  const whole = { columns: layout.fields, fields: [...layout.fields, ...parts] };
  await printRecord(output, { ...template, ...document }, whole);
  if (output.format !== 'table' || output.fields) return;

  const rows = document.tasks.map(({ id, title, phaseId, required, fields }) => {
    const phase = document.phases.find((candidate) => candidate.id === phaseId)?.name ?? null;
    return { id, phase, title, required, fields: fields.map(({ key }) => key) };
  });
  const columns = ['id', 'phase', 'title', 'required', 'fields'];
  output.write('');
  await printList(output, rows, { columns, fields: columns });
}
