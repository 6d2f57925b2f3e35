import { isId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { usage } from '../../errors.ts';
import { findRunId, runArgument } from '../../lookup/run.ts';
import { examples } from '../../options.ts';
import { file } from '../../output/layouts.ts';
import { addBoundedPaging, pageQuery, printPages, type BoundedPagingOptions } from '../list.ts';

interface ListOptions extends BoundedPagingOptions {
  readonly entry?: string;
  readonly field?: string;
}

/** `runward files list`. */
export function listFiles(files: Command, action: Action): void {
  const command = files
    .command('list')
    .argument('[run]', runArgument)
    .option('--entry <id>', 'only files of this entry')
    .option('--field <id>', 'only files of this field')
    .addHelpText('after', examples('runward files list RUN', 'runward files list --field FIELD -o csv'));
  addBoundedPaging(command).action(
    action(async (cli, run: string | undefined, { entry, field, ...paging }: ListOptions) => {
      if ([run, entry, field].every((filter) => filter === undefined)) throw usage('Give a run, --entry or --field.');
      for (const [option, id] of Object.entries({ entry, field })) {
        if (id !== undefined && !isId(id)) throw usage(`--${option}: "${id}" is not an ID (a UUID).`);
      }
      const client = await cli.connect();
      const query = {
        runId: run === undefined ? undefined : await findRunId(client, run),
        executionEntryId: entry,
        runTaskFieldId: field,
        ...pageQuery(paging),
      };
      await printPages(cli, client.files.list(query), paging, file);
    }),
  );
}
