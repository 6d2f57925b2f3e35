import type { Writable } from 'node:stream';
import { CommanderError } from 'commander';
import { MissingPackageError } from '../installation/optional-package.ts';
import { withoutDetail, withoutSecrets } from '../telemetry/log.ts';
import { CommandError } from './command-error.ts';
import type { Io } from './io.ts';
import { buildProgram } from './program.ts';

/**
 * Runs a command line. Returns the exit code: 0 success, 1 rejected or failed, 2 usage error, 78 database of another
 * version.
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    await buildProgram(io).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed its error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    printError(io.stderr, error);
    return error instanceof CommandError ? error.exitCode : 1;
  }
}

/** Prints an error, one line per message. */
export function printError(stderr: Writable, error: unknown): void {
  for (const message of messagesOf(error)) stderr.write(`error: ${withoutSecrets(message)}\n`);
}

/**
 * Shows expected errors (rejections, an unreachable database, rejected queries) without their stack, others with it.
 */
function messagesOf(error: unknown): readonly string[] {
  if (error instanceof CommandError) return error.messages;
  if (error instanceof MissingPackageError) return [error.message];
  if (!(error instanceof Error)) return [String(error)];
  if ('code' in error) return [withoutDetail(error, error.message)];
  return [error.stack ?? error.message];
}
