import type { Client } from '@runward/sdk';
import type { Command } from 'commander';
import type { Action } from '../../cli.ts';
import { rejected, usage } from '../../errors.ts';
import type { Template } from '../../lookup/template.ts';
import { examples } from '../../options.ts';
import { printList, printRecord, type Output } from '../../output/print.ts';
import { readDraft } from '../../template-file/draft.ts';
import { plan } from '../../template-file/plan.ts';
import { readTemplateFile } from '../../template-file/read-file.ts';
import type { Step } from '../../template-file/step.ts';
import { toDocument } from '../../template-file/to-document.ts';
import { readText } from '../../terminal/input.ts';

interface PushOptions {
  readonly id?: string;
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly publish?: boolean;
  readonly note?: string;
}

/** `runward templates push`: creates or updates a template from a file. */
export function pushTemplate(templates: Command, action: Action): void {
  templates
    .command('push')
    .description('Create a template from a file, or update it to match the file')
    .argument('<file>', 'JSON file of the template; - is stdin')
    .option('--id <id>', 'update this template, even if its name differs')
    .option('--prune', 'delete phases, tasks, fields and variables that are not in the file')
    .option('--dry-run', 'print the changes without applying them')
    .option('--publish', 'then publish the template if it has unpublished changes')
    .option('--note <text>', 'with --publish: what is new; shown in the list of versions')
    .addHelpText(
      'after',
      `\nThe template is identified by its name, phases by name, tasks by title, fields and variables by key. Pushing the same\nfile again changes nothing.\n${examples(
        'runward templates push onboarding.json --dry-run',
        'runward templates push onboarding.json --publish --note "Second reviewer"',
      )}`,
    )
    .action(
      action(async (cli, path: string, options: PushOptions) => {
        if (options.note !== undefined && !options.publish) throw usage('--note needs --publish.');
        const file = readTemplateFile(await readText(cli.io, path, 'the template'), path);
        const document = toDocument(file, path, options.publish === true);
        const client = await cli.connect();
        const template = await findTarget(client, file.name, options.id);
        const draft = template && (await readDraft(client, template));
        const { steps, ids } = plan(file, document, draft);

        const surplus = steps.filter(({ action }) => action === 'delete');
        if (options.dryRun) {
          if (surplus.length > 0 && !options.prune)
            cli.info('The deletions need --prune; without it, the push is rejected.');
          return printChanges(cli.output, { template: draft?.template ?? null, steps, version: null });
        }
        if (surplus.length > 0 && !options.prune) throw notInFile(path, surplus);
        for (const step of steps) await step.apply(client.templates, ids);

        const pushed = await client.templates.get(ids.template);
        const publish = options.publish && (pushed.hasUnpublishedChanges || pushed.publishedVersionId === null);
        const message = options.note === undefined ? {} : { note: options.note };
        const version = publish ? await client.templates.publish(ids.template, message) : null;
        const published = version ? ` Published as version ${version.number}.` : '';
        const changes = steps.length === 1 ? '1 change' : `${steps.length} changes`;
        cli.info(`${steps.length === 0 ? 'No changes' : changes} in "${pushed.name}".${published}`);
        await printChanges(cli.output, { template: pushed, steps, version });
      }),
    );
}

async function findTarget({ templates }: Client, name: string, id: string | undefined): Promise<Template | null> {
  if (id !== undefined) return templates.get(id);
  const named = (await Array.fromAsync(templates.list())).filter((template) => template.name === name);
  const [found, ...others] = named.filter(({ status }) => status !== 'ARCHIVED');
  if (others.length > 0) {
    throw usage(
      `Several templates are named "${name}"; choose one with --id:`,
      ...named.map((template) => template.id),
    );
  }
  if (found) return found;
  const [archived] = named;
  if (!archived) return null;
  throw rejected(`The template "${name}" (${archived.id}) is archived. Unarchive it, or change the name in the file.`);
}

function notInFile(path: string, surplus: readonly Step[]) {
  return rejected(
    `The template has parts that are not in ${path}. Add them to the file, or delete them with --prune:`,
    ...surplus.map(({ kind, name }) => `${kind} "${name}"`),
  );
}

interface Pushed {
  readonly template: Template | null;
  readonly steps: readonly Step[];
  readonly version: { readonly id: string; readonly number: number } | null;
}

async function printChanges(output: Output, { template, steps, version }: Pushed): Promise<void> {
  const changes = steps.map(({ action, kind, name, details }) => ({ action, kind, name, details }));
  if (output.format === 'json' || output.format === 'jsonl') {
    const fields = ['templateId', 'changes', 'version'];
    return printRecord(output, { templateId: template?.id ?? null, changes, version }, { columns: fields, fields });
  }
  const columns = ['action', 'kind', 'name', 'details'];
  await printList(output, changes, { columns, fields: columns });
}
