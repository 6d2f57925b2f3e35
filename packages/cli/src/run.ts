import { CommanderError } from 'commander';
import { report } from './errors.ts';
import { toJson } from './output/printable.ts';
import { buildProgram } from './program.ts';
import { complain, tell } from './terminal/notes.ts';

/** Carries a command line out, reports what goes wrong and sets the exit code of the process; it does not end the process. */
export async function run(args: readonly string[]): Promise<void> {
  const program = buildProgram();
  // Before anything is parsed, so that help and errors obey, too.
  if (args.includes('--no-color')) process.env['NO_COLOR'] = '1';
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Help and --version are "errors" of commander, printed already.
    if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    const { output, debug } = program.opts<{ output?: string; debug?: boolean }>();
    const told = report(error);
    process.exitCode = told.exitCode;
    if (output === 'json' || output === 'jsonl') tell(toJson(told));
    else complain([...told.messages, ...hints(error, told.requestId)]);
    if (debug === true && error instanceof Error) tell(error.stack ?? '');
  }
}

function hints(error: unknown, requestId: string | undefined): string[] {
  if (requestId !== undefined) return [`(request ${requestId})`];
  return error instanceof CommanderError ? ['--help after a command prints its usage.'] : [];
}
