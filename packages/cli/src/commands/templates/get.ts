import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { examples } from '../../options.ts';
import { template as layout } from '../../output/layouts.ts';
import { printList, printRecord, type Output } from '../../output/print.ts';
import { readDraft, type Draft } from '../../template-file/draft.ts';

/** `runward templates get`. */
export function getTemplate(templates: Command, action: Action): void {
  templates
    .command('get')
    .argument('<template>', 'ID or name')
    .addHelpText('after', examples('runward templates get Onboarding'))
    .action(
      action(async (cli, idOrName: string) => {
        const client = await cli.connect();
        await printDraft(cli.output, await readDraft(client, await find(client, 'template', idOrName)));
      }),
    );
}

async function printDraft(output: Output, { template, document }: Draft): Promise<void> {
  const parts = ['phases', 'tasks', 'variables'];
  const whole = { columns: layout.fields, fields: [...layout.fields, ...parts], model: 'TemplateDraft' };
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
