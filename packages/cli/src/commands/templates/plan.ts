import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { exitCodes } from '../../errors.ts';
import { examples } from '../../options.ts';
import { countActiveRuns, planFile } from '../../template-file/plan.ts';
import { readTemplateFile } from '../../template-file/read-file.ts';
import { checkDocument } from '../../template-file/to-replacement.ts';
import { nameOf, readText } from '../../terminal/input.ts';
import { printPlan } from './print-plan.ts';

interface PlanOptions {
  readonly id?: string;
  readonly published?: boolean;
  readonly exitCode?: boolean;
}

/** `runward templates plan`: prints the differences between a file and a template. */
export function planTemplate(templates: Command, action: Action): void {
  templates
    .command('plan')
    .argument('<file>', 'JSON file of the template; - is stdin')
    .option('--id <id>', 'compare with this template, even if its name differs')
    .option('--published', 'compare with the published version instead of the draft')
    .option('--exit-code', `exit with ${exitCodes.differs} if there are changes`)
    .addHelpText(
      'after',
      `\nThe template is identified by its name; phases, tasks and rules by key, or without one by name; fields and variables\nby key; members by email address and groups by name.\n${examples(
        'runward templates plan onboarding.json',
        'runward templates plan onboarding.json --published --exit-code -o json',
      )}`,
    )
    .action(
      action(async (cli, path: string, { exitCode, ...options }: PlanOptions) => {
        const file = readTemplateFile(await readText(cli.io, path, 'the template'), nameOf(path));
        checkDocument(file, nameOf(path), false);
        const client = await cli.connect();
        const { draft, changes } = await planFile(client, file, { path: nameOf(path), ...options });
        const activeRuns = draft ? await countActiveRuns(client, draft.template.id) : 0;
        await printPlan(cli, { template: draft?.template ?? null, name: file.name, changes, activeRuns });
        if (exitCode && changes.length > 0) return exitCodes.differs;
      }),
    );
}
