import { emptyProcess } from '@runward/engine';
import type { Client } from '@runward/sdk';
import type { Command } from 'commander';
import type { Action } from '../../cli.ts';
import { rejected, usage } from '../../errors.ts';
import type { Template } from '../../lookup/template.ts';
import { examples } from '../../options.ts';
import { printList, printRecord, type Output } from '../../output/print.ts';
import type { Change } from '../../template-file/change.ts';
import { readDraft, type Draft } from '../../template-file/draft.ts';
import { planDocument, planSettings, settingsOf } from '../../template-file/plan.ts';
import { readTemplateFile } from '../../template-file/read-file.ts';
import { checkDocument, toReplacement, type Replacement } from '../../template-file/to-replacement.ts';
import type { TemplateFile } from '../../template-file/template-file.ts';
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
    .option('--prune', 'delete phases, tasks, fields, rules and variables that are not in the file')
    .option('--dry-run', 'print the changes without applying them')
    .option('--publish', 'then publish the template if it has unpublished changes')
    .option('--note <text>', 'with --publish: what is new; shown in the list of versions')
    .addHelpText(
      'after',
      `\nThe template is identified by its name, phases and rules by name, tasks by title, fields and variables by key.\nPushing the same file again changes nothing.\n${examples(
        'runward templates push onboarding.json --dry-run',
        'runward templates push onboarding.json --publish --note "Second reviewer"',
      )}`,
    )
    .action(
      action(async (cli, path: string, options: PushOptions) => {
        if (options.note !== undefined && !options.publish) throw usage('--note needs --publish.');
        const file = readTemplateFile(await readText(cli.io, path, 'the template'), path);
        checkDocument(file, path, options.publish === true);
        const client = await cli.connect();
        const template = await findTarget(client, file.name, options.id);
        const draft = template && (await readDraft(client, template));
        const current = draft?.document ?? emptyProcess;
        const { body, document } = toReplacement(file, path, current);
        const settings = planSettings(file, template);
        const content = planDocument(document, current);
        const changes = [...settings, ...content];

        const surplus = changes.filter(({ action }) => action === 'delete');
        if (options.dryRun) {
          if (surplus.length > 0 && !options.prune)
            cli.info('The deletions need --prune; without it, the push is rejected.');
          return printChanges(cli.output, { template, changes, version: null });
        }
        if (surplus.length > 0 && !options.prune) throw notInFile(path, surplus);
        const templateId = await apply(client, file, draft, {
          settings: settings.length > 0,
          body: content.length > 0 ? body : null,
        });

        const pushed = await client.templates.get(templateId);
        const publish = options.publish && (pushed.hasUnpublishedChanges || pushed.publishedVersionId === null);
        const message = options.note === undefined ? {} : { note: options.note };
        const version = publish ? await client.templates.publish(templateId, message) : null;
        const published = version ? ` Published as version ${version.number}.` : '';
        const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
        cli.info(`${changes.length === 0 ? 'No changes' : count} in "${pushed.name}".${published}`);
        await printChanges(cli.output, { template: pushed, changes, version });
      }),
    );
}

/** What a push sends. */
interface Sent {
  readonly settings: boolean;
  /** The content of the draft; null if it stays as it is. */
  readonly body: Replacement['body'] | null;
}

/** Applies a push, and returns the id of the template. Fails with 412 if the template has changed since its draft was read. */
async function apply({ templates }: Client, file: TemplateFile, draft: Draft | null, sent: Sent): Promise<string> {
  const { id, version: found } = draft
    ? { id: draft.template.id, version: draft.version }
    : await templates.create(settingsOf(file));
  // First the draft: it is the part that the server can still reject.
  const version = sent.body ? (await templates.draft.replace(id, sent.body, { ifMatch: found })).version : found;
  if (draft && sent.settings) await templates.update(id, settingsOf(file), { ifMatch: version });
  return id;
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

function notInFile(path: string, surplus: readonly Change[]) {
  return rejected(
    `The template has parts that are not in ${path}. Add them to the file, or delete them with --prune:`,
    ...surplus.map(({ kind, name }) => `${kind} "${name}"`),
  );
}

interface Pushed {
  readonly template: Template | null;
  readonly changes: readonly Change[];
  readonly version: { readonly id: string; readonly number: number } | null;
}

async function printChanges(output: Output, { template, changes, version }: Pushed): Promise<void> {
  if (output.format === 'json' || output.format === 'jsonl') {
    const fields = ['templateId', 'changes', 'version'];
    return printRecord(output, { templateId: template?.id ?? null, changes, version }, { columns: fields, fields });
  }
  const columns = ['action', 'kind', 'name', 'details'];
  await printList(output, changes, { columns, fields: columns });
}
