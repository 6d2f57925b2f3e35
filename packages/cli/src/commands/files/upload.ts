import type { AttachedFile } from '@runward/sdk';
import { loadForm } from '@runward/sdk/form';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { usage } from '../../errors.ts';
import { fieldOf } from '../../form/field-of.ts';
import { findTask } from '../../lookup/run-task.ts';
import { findRunBefore } from '../../lookup/run.ts';
import { examples } from '../../options.ts';
import { file } from '../../output/layouts.ts';
import { printList } from '../../output/print.ts';
import { fileSource } from '../../transfer/file-source.ts';
import { uploadFile } from '../../transfer/upload-file.ts';
import { addTaskArguments } from '../tasks/on-task.ts';

interface UploadOptions {
  readonly name?: string;
}

/** `runward files upload`. */
export function uploadFiles(files: Command, action: Action): void {
  addTaskArguments(files.command('upload'))
    .argument('<field>', 'key of a FILE_UPLOAD, SIGNATURE or IMAGE field')
    .argument('<files...>', 'paths; "-" is stdin')
    .option('--name <name>', 'name of the uploaded file instead of its own')
    .addHelpText(
      'after',
      `\nThe files are attached to the open entry of the task; one is opened if there is none.\n${examples(
        'runward files upload RUN "Sign the contract" scans page-1.pdf page-2.pdf',
        'pg_dump | gzip | runward files upload RUN "Back up" dump - --name dump.sql.gz',
      )}`,
    )
    .action(
      action(async (cli, run: string, task: string, key: string, paths: string[], { name }: UploadOptions) => {
        if (name !== undefined && paths.length > 1) throw usage('--name is for one file.');
        const sources = paths.map((path) => fileSource(cli.io, path, name));
        const client = await cli.connectToChange(file);
        const id = await findRunBefore(client, run, task);
        const found = await client.runs.get(id);
        const form = await loadForm(client, findTask(found, task));
        const { id: fieldId } = fieldOf(form, key);
        const { id: entryId } = form.entry ?? (await client.execution.open({ runTaskId: form.task.runTaskId }));
        const attached: AttachedFile[] = [];
        try {
          for (const source of sources) attached.push(await uploadFile(cli, client, { entryId, fieldId }, source));
        } catch (error) {
          if (attached.length > 0) cli.warn(`Attached before: ${attached.map(({ fileName }) => fileName).join(', ')}.`);
          throw error;
        }
        await printList(cli.output, attached, file);
      }),
    );
}
