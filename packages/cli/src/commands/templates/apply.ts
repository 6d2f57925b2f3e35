import type { Client, Template } from '@runward/sdk';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import type { Cli } from '../../cli.ts';
import { usage } from '../../errors.ts';
import { examples } from '../../options.ts';
import { printRecord } from '../../output/print.ts';
import { countActiveRuns, planFile, settingsOf, type Plan } from '../../template-file/plan.ts';
import { readTemplateFile } from '../../template-file/read-file.ts';
import type { TemplateFile } from '../../template-file/template-file.ts';
import { checkDocument } from '../../template-file/to-replacement.ts';
import { nameOf, readText } from '../../terminal/input.ts';
import { printChanges, printPlan } from './print-plan.ts';

interface ApplyOptions {
  readonly id?: string;
  readonly publish?: boolean;
  readonly note?: string;
  readonly yes?: boolean;
}

/** `runward templates apply`: creates a template from a file, or makes its draft match the file. */
export function applyTemplate(templates: Command, action: Action): void {
  withOptions(templates.command('apply'))
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      `\nOn a terminal, it prints the changes and asks for confirmation. What is not in the file is deleted from the draft.\nApplying the same file again changes nothing.\n${examples(
        'runward templates apply onboarding.json',
        'runward templates apply onboarding.json --publish --note "Second reviewer" --yes',
      )}`,
    )
    .action(action(applyFile));
}

/** `runward templates push`: `apply` without its question, for scripts. */
export function pushTemplate(templates: Command, action: Action): void {
  withOptions(templates.command('push'))
    .addHelpText('after', examples('runward templates push onboarding.json --publish'))
    .action(action((cli, path: string, options: ApplyOptions) => applyFile(cli, path, { ...options, yes: true })));
}

function withOptions(command: Command): Command {
  return command
    .argument('<file>', 'JSON file of the template; - is stdin')
    .option('--id <id>', 'change this template, even if its name differs')
    .option('--publish', 'then publish the template if it has unpublished changes')
    .option('--note <text>', 'with --publish: what is new; shown in the list of versions');
}

async function applyFile(cli: Cli, path: string, options: ApplyOptions): Promise<void> {
  const { note, publish = false, yes = false, id } = options;
  if (note !== undefined && !publish) throw usage('--note needs --publish.');
  if (!yes && !cli.prompts) {
    throw usage('No terminal to ask on. Use --yes to apply the file; templates plan prints what it would change.');
  }
  const file = readTemplateFile(await readText(cli.io, path, 'the template'), nameOf(path));
  checkDocument(file, nameOf(path), publish);
  const client = await cli.connect();
  const plan = await planFile(client, file, { path: nameOf(path), id });
  const { draft, changes } = plan;
  const publishes = publish && (changes.length > 0 || !draft || isUnpublished(draft.template));
  if (cli.output.format === 'table' && changes.length > 0) {
    const activeRuns = draft && publishes ? await countActiveRuns(client, draft.template.id) : 0;
    await printPlan(cli, { template: draft?.template ?? null, name: file.name, changes, activeRuns });
  }
  if (!yes && !(await confirm(cli, file, plan, publishes))) return cli.info('Nothing was changed.');
  const templateId = await apply(client, file, plan);

  const applied = await client.templates.get(templateId);
  const toPublish = publish && isUnpublished(applied);
  const version = toPublish ? await client.templates.publish(templateId, note === undefined ? {} : { note }) : null;
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  const published = version ? ` Published as version ${version.number}.` : '';
  cli.info(`${changes.length === 0 ? 'No changes' : count} in "${applied.name}".${published}`);
  if (cli.output.format === 'csv') return printChanges(cli.output, changes);
  if (cli.output.format === 'table') return;
  const fields = ['templateId', 'changes', 'version'];
  await printRecord(cli.output, { templateId, changes, version }, { columns: fields, fields });
}

/** Asks for confirmation on the terminal. Without changes it does not ask. */
async function confirm({ prompts }: Cli, { name }: TemplateFile, { draft, changes }: Plan, publishes: boolean) {
  if (changes.length === 0 && !publishes) return true;
  const target = draft ? `to the draft of "${draft.template.name}"` : `as the new template "${name}"`;
  const question =
    changes.length === 0 ? 'Publish the draft' : `Apply this ${target}${publishes ? ' and publish it' : ''}`;
  return (await prompts?.yesNo(`${question}?`, false)) ?? false;
}

function isUnpublished({ hasUnpublishedChanges, publishedVersionId }: Template): boolean {
  return hasUnpublishedChanges || publishedVersionId === null;
}

/**
 * Applies a plan and returns the id of the template. Fails with 412 if the template changed after its draft was read.
 */
async function apply({ templates }: Client, file: TemplateFile, { draft, settings, body }: Plan): Promise<string> {
  const { id, version: found } = draft
    ? { id: draft.template.id, version: draft.version }
    : await templates.create(settingsOf(file));
  // First the draft: it is the part that the server can still reject.
  const version = body ? (await templates.draft.replace(id, body, { ifMatch: found })).version : found;
  if (draft && settings) await templates.update(id, settingsOf(file), { ifMatch: version });
  return id;
}
