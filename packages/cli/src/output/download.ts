import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isRunwardError, type Download } from '@runward/sdk';
import type { Cli } from '../cli.ts';
import { failure, interrupted, usage } from '../errors.ts';
import { unwritable } from '../file-errors.ts';
import type { Io } from '../io.ts';
import type { Progress } from '../terminal/progress.ts';
import { printableLines } from './printable.ts';

/**
 * Writes a streamed response, byte for byte, to a file, or to stdout without a file or for `-`. A terminal only gets
 * text, without control characters.
 *
 * @throws CliError if the file cannot be written, or if stdout is a terminal and the content is not text; RunwardError
 * if the response breaks off
 */
export async function writeDownload(cli: Cli, download: Download, file: string | undefined): Promise<void> {
  if (file !== undefined && file !== '-') return saveDownload(cli, download, file);
  if (cli.output.isTerminal) return printDownload(cli, download);
  const progress = startDownload(cli, download);
  for await (const chunk of download.body) {
    await cli.output.writeBytes(chunk);
    progress.advance(chunk.byteLength);
  }
  progress.end();
}

/**
 * Checks that no file would be replaced.
 *
 * @throws CliError if the file exists
 */
export async function ensureNew({ cwd }: Io, file: string): Promise<void> {
  const found = file === '-' ? null : await stat(resolve(cwd, file)).catch(() => null);
  if (found?.isFile()) throw failure(`${file} exists already. Use --force to replace it.`);
}

async function printDownload({ output }: Cli, { contentType, body, fileName }: Download): Promise<void> {
  if (!contentType.startsWith('text/')) {
    await body.cancel();
    throw usage(`The response is ${contentType}, which a terminal cannot show. Use --output-file "${fileName}".`);
  }
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    await output.writeBytes(Buffer.from(printableLines(decoder.decode(chunk, { stream: true }))));
  }
}

/**
 * Saves a text with a trailing line break.
 *
 * @throws CliError if the file cannot be written
 */
export async function saveText(cli: Cli, text: string, file: string): Promise<void> {
  if (file === '-') return cli.output.write(text);
  await save(cli, Readable.from([Buffer.from(text.endsWith('\n') ? text : `${text}\n`)]), file, () => {});
  cli.info(`Saved ${file}.`);
}

async function saveDownload(cli: Cli, download: Download, file: string): Promise<void> {
  const progress = startDownload(cli, download);
  await save(cli, Readable.fromWeb(download.body), file, progress.advance);
  progress.end();
  cli.info(`Saved ${file}.`);
}

/** Saves a stream. Replaces an existing file only once the stream is complete. */
async function save(cli: Cli, content: Readable, file: string, onBytes: (count: number) => void): Promise<void> {
  const { io } = cli;
  const path = resolve(io.cwd, file);
  // A device or a named pipe cannot be replaced.
  const isReplaced = await stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
  const draft = isReplaced ? `${path}.${process.pid}.part` : path;
  const meter = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      onBytes(chunk.byteLength);
      done(null, chunk);
    },
  });
  using _ = cli.stopGracefully();
  try {
    await pipeline(content, meter, createWriteStream(draft), { signal: io.signal });
    if (isReplaced) await rename(draft, path);
  } catch (error) {
    if (isReplaced) await rm(draft, { force: true });
    if (io.signal.aborted) throw interrupted();
    throw isRunwardError(error) ? error : unwritable(file, error);
  }
}

function startDownload({ progress }: Cli, { fileName, size }: Download): Progress {
  const total = size === null ? '' : ` of ${kilobytes(size)}`;
  return progress({ line: (done) => `Downloading ${fileName}: ${kilobytes(done)}${total}`, lineIntervalMs: null });
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000).toLocaleString('en')} kB`;
}
