import { resolve, sep } from 'node:path';
import { isAborted, type Client } from '@runward/sdk';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import type { Cli } from '../../cli.ts';
import { failure, interrupted } from '../../errors.ts';
import { hasCode } from '../../file-errors.ts';
import { readId } from '../../lookup/ids.ts';
import { examples } from '../../options.ts';
import { writeDownload } from '../../output/download.ts';
import { savedFile } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { showTransfer } from '../../transfer/progress-bar.ts';

interface DownloadOptions {
  readonly outputFile: string;
  readonly force?: boolean;
}

/** `runward files download`. */
export function downloadFile(files: Command, action: Action): void {
  files
    .command('download')
    .argument('<file>', 'ID of a file')
    .option('--output-file <path>', 'file or folder to save it in, under its own name in a folder; "-" is stdout', '.')
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      examples('runward files download FILE', 'runward files download FILE --output-file - | tar -xz'),
    )
    .action(
      action(async (cli, file: string, { outputFile, force = false }: DownloadOptions) => {
        const id = readId('file', file);
        const client = await cli.connect();
        if (outputFile === '-') return writeDownload(cli, await client.files.download(id), '-');
        // A separator at the end, which names a folder, is kept.
        const path = resolve(cli.io.cwd, outputFile) + (outputFile.endsWith(sep) ? sep : '');
        const saved = await save(cli, client, id, { path, overwrite: force });
        await printRecord(cli.output, saved, savedFile);
      }),
    );
}

async function save(
  cli: Cli,
  { files }: Client,
  id: string,
  { path, overwrite }: { readonly path: string; readonly overwrite: boolean },
) {
  const { signal } = cli.io;
  const shown = showTransfer(cli, 'Downloading');
  // The partial file is removed before the command ends.
  using _ = cli.stopGracefully();
  try {
    return await files.save(id, path, {
      overwrite,
      signal,
      onProgress: ({ receivedBytes, totalBytes }) => shown.update(receivedBytes, totalBytes),
    });
  } catch (error) {
    if (isAborted(error) && signal.aborted) throw interrupted();
    if (!(error instanceof Error) || !hasCode(error.cause, 'EEXIST')) throw error;
    throw failure(error.message.replace(/\. .*$/s, '. Use --force to replace it, or --output-file for another path.'));
  } finally {
    shown.end();
  }
}
