import type { Command } from 'commander';
import { openFileStore } from '../adapters/open-file-store.ts';
import { bytesWithoutRows, removeOrphans, rowsWithoutBytes } from '../files/check-files.ts';
import { numberOf } from '../words.ts';
import { commandError } from './command-error.ts';
import { action, type CommandContext } from './context.ts';
import type { Io } from './io.ts';

/** A file that is being uploaded has no row yet. */
const graceMs = 3_600_000;

/** `files check`. */
export function addFileCommands(program: Command, io: Io): void {
  const noun = program.command('files').description('Check the stored files');
  noun
    .command('check')
    .description('Report rows without bytes, and bytes without rows')
    .option('--recent', 'also report bytes that were stored in the last hour; uploads in progress are among them')
    .option('--remove', 'remove the bytes without rows')
    .action(action(io, check));
}

async function check(
  context: CommandContext,
  { recent = false, remove = false }: { recent?: boolean; remove?: boolean },
) {
  const store = await openFileStore(context.fileStore);
  const before = new Date(Date.now() - (recent ? 0 : graceMs));
  const report = await context.inTransaction(async (em) => ({
    rowsWithoutBytes: await Array.fromAsync(rowsWithoutBytes(em, store)),
    bytesWithoutRows: await Array.fromAsync(bytesWithoutRows(em, store, before)),
    removed: remove ? await removeOrphans(em, store, before) : 0,
  }));
  const { rowsWithoutBytes: rows, bytesWithoutRows: bytes, removed } = report;
  const lines = [
    `${numberOf(rows.length, 'row')} without bytes`,
    ...rows.map((key) => `  ${key}`),
    `${bytes.length} bytes without rows${remove ? `, ${removed} of them removed` : ''}`,
    ...bytes.map((key) => `  ${key}`),
  ];
  context.print(report, lines.join('\n'));
  if (rows.length > 0 || bytes.length > removed) {
    throw commandError('Files and rows differ; restore missing files from a backup, and remove others with --remove.');
  }
}
