import type { Client } from '@runward/sdk';
import type { Command } from 'commander';
import { action } from '../../cli.ts';
import { refused, usage } from '../../errors.ts';
import type { Template } from '../../lookup/template.ts';
import { examples } from '../../options.ts';
import { printList, printRecord, type Output } from '../../output/print.ts';
import { readDraft } from '../../template-file/draft.ts';
import { plan } from '../../template-file/plan.ts';
import { readTemplateFile } from '../../template-file/read-file.ts';
import type { Step } from '../../template-file/step.ts';
import { toDocument } from '../../template-file/to-document.ts';
import { readText } from '../../terminal/input.ts';
import { note } from '../../terminal/notes.ts';

interface PushOptions {
  readonly id?: string;
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly publish?: boolean;
  readonly note?: string;
}

/** `runward templates push`: makes a template on the server what a file says. */
export function pushTemplate(templates: Command): void {
  templates
    .command('push')
    .description('Create a template from a file, or change it to what the file says')
    .argument('<file>', 'the template as JSON; - is the standard input')
    .option('--id <id>', 'change this template, whatever its name is')
    .option('--prune', 'delete phases, tasks, fields and variables the file does not name')
    .option('--dry-run', 'print the changes without making them')
    .option('--publish', 'publish afterwards if there are unpublished changes')
    .option('--note <text>', 'with --publish: what is new, for the list of versions')
    .addHelpText(
      'after',
      `\nThe template is found by its name, phases by name, tasks by title, fields and variables by key. Pushing the same file\nagain changes nothing.\n${examples(
        'runward templates push onboarding.json --dry-run',
        'runward templates push onboarding.json --publish --note "Second reviewer"',
      )}`,
    )
    .action(
      action(async (cli, path: string, options: PushOptions) => {
        if (options.note !== undefined && !options.publish) throw usage('--note goes with --publish.');
        const file = readTemplateFile(await readText(path, 'the template'), path);
        const document = toDocument(file, path, options.publish === true);
        const client = await cli.connect();
        const template = await findTarget(client, file.name, options.id);
        const draft = template && (await readDraft(client, template));
        const { steps, ids } = plan(file, document, draft);

        const surplus = steps.filter(({ action }) => action === 'delete');
        if (options.dryRun) {
          if (surplus.length > 0 && !options.prune) note('The deletions need --prune; without it, a push is refused.');
          return printChanges(cli.output, { template: draft?.template ?? null, steps, version: null });
        }
        if (surplus.length > 0 && !options.prune) throw notNamed(path, surplus);
        for (const step of steps) await step.carryOut(client.templates, ids);

        const pushed = await client.templates.get(ids.template);
        const publish = options.publish && (pushed.hasUnpublishedChanges || pushed.publishedVersionId === null);
        const message = options.note === undefined ? {} : { note: options.note };
        const version = publish ? await client.templates.publish(ids.template, message) : null;
        const told = version ? ` Published as version ${version.number}.` : '';
        const made = steps.length === 1 ? '1 change' : `${steps.length} changes`;
        note(`${steps.length === 0 ? 'Nothing to change' : made} in "${pushed.name}".${told}`);
        await printChanges(cli.output, { template: pushed, steps, version });
      }),
    );
}

async function findTarget({ templates }: Client, name: string, id: string | undefined): Promise<Template | null> {
  if (id !== undefined) return templates.get(id);
  const named = (await Array.fromAsync(templates.list())).filter((template) => template.name === name);
  const [found, ...others] = named.filter(({ status }) => status !== 'ARCHIVED');
  if (others.length > 0) {
    throw usage(`Several templates are named "${name}"; name one with --id:`, ...named.map((template) => template.id));
  }
  if (found) return found;
  const [archived] = named;
  if (!archived) return null;
  throw refused(
    `The template "${name}" is archived. Unarchive it, or rename the one in the file. Its id is ${archived.id}.`,
  );
}

function notNamed(path: string, surplus: readonly Step[]) {
  return refused(
    `The template has parts that ${path} does not name. Add them to the file, or delete them with --prune:`,
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
