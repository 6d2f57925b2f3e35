import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { notFound, usage } from '../../errors.ts';
import { readId } from '../../lookup/ids.ts';
import { findRunId } from '../../lookup/run.ts';
import { examples } from '../../options.ts';
import { ensureNew, writeDownload } from '../../output/download.ts';

interface ZipOptions {
  readonly run?: string;
  readonly outputFile?: string;
  readonly force?: boolean;
}

const mostFiles = 500;

/** `runward files zip`. */
export function zipFiles(files: Command, action: Action): void {
  files
    .command('zip')
    .argument('[files...]', 'IDs of files')
    .option('--run <id>', 'all files attached to this run')
    .option('--output-file <file>', 'write the ZIP to this file instead of stdout')
    .option('--force', 'replace an existing file')
    .addHelpText('after', examples('runward files zip --run RUN --output-file run.zip'))
    .action(
      action(async (cli, given: string[], { run, outputFile, force }: ZipOptions) => {
        if (given.length > 0 === (run !== undefined)) throw usage('Give the IDs of files, or --run.');
        const ids = given.map((file) => readId('file', file));
        if (outputFile !== undefined && !force) await ensureNew(cli.io, outputFile);
        const client = await cli.connect();
        if (run !== undefined) {
          for await (const file of client.files.list({ runId: await findRunId(client, run) })) ids.push(file.id);
          if (ids.length === 0) throw notFound('The run has no files.');
        }
        if (ids.length > mostFiles)
          throw usage(`A ZIP contains at most ${mostFiles} files, and these are ${ids.length}.`);
        await writeDownload(cli, await client.files.bulkDownloadZip({ fileIds: ids }), outputFile);
      }),
    );
}
