import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { examples } from '../../options.ts';
import { saveText } from '../../output/download.ts';
import { toJson } from '../../output/printable.ts';
import { compact, readDraft, readPublished, toFile } from '../../template-file/draft.ts';
import { peopleInDocument } from '../../template-file/named-people.ts';
import { readPeople } from '../../template-file/people.ts';

/** `runward templates pull`: writes the file of a template. */
export function pullTemplate(templates: Command, action: Action): void {
  templates
    .command('pull')
    .argument('<template>', 'ID or name')
    .argument('[file]', 'file to write; - is stdout', '-')
    .option('--published', 'write the published version instead of the draft')
    .addHelpText(
      'after',
      examples(
        'runward templates pull Onboarding onboarding.json',
        'runward templates pull Onboarding --published --profile test > onboarding.json',
      ),
    )
    .action(
      action(async (cli, idOrName: string, file: string, { published }: { readonly published?: boolean }) => {
        const client = await cli.connect();
        const template = await find(client, 'template', idOrName);
        const document = published
          ? await readPublished(client, template)
          : (await readDraft(client, template)).document;
        const people = await readPeople(client, peopleInDocument(document));
        await saveText(cli, toJson(compact(toFile({ template, document }, people)), 2), file);
      }),
    );
}
