import { isAborted, type AttachedFile, type Client } from '@runward/sdk';
import type { Cli } from '../cli.ts';
import { interrupted } from '../errors.ts';
import type { FileSource } from './file-source.ts';
import { showTransfer } from './progress-bar.ts';

/** Where a file is attached. */
export interface FilePlace {
  readonly entryId: string;
  readonly fieldId: string;
}

/**
 * Uploads a file with a progress bar, and attaches it to a field of an open entry.
 *
 * @throws CliError if the command is to stop, in which case nothing is left on the server. RunwardError
 */
export async function uploadFile(
  cli: Cli,
  { files }: Client,
  { entryId, fieldId }: FilePlace,
  { source, fileName }: FileSource,
): Promise<AttachedFile> {
  const { signal } = cli.io;
  const shown = showTransfer(cli, fileName);
  // What was sent in vain is deleted before the command ends.
  using _ = cli.stopGracefully();
  try {
    return await files.upload(entryId, fieldId, source, {
      fileName,
      signal,
      onProgress: ({ sentBytes, totalBytes }) => shown.update(sentBytes, totalBytes),
    });
  } catch (error) {
    throw isAborted(error) && signal.aborted ? interrupted() : error;
  } finally {
    shown.end();
  }
}
