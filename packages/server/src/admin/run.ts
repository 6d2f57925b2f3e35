import { CommanderError } from 'commander';
import { withoutDetail, withoutSecrets } from '../telemetry/log.ts';
import { buildProgram } from './program.ts';
import { CommandError } from './command-error.ts';

/** Carries a command line out and answers the exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    await buildProgram(env).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has said already what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    complain(error);
    return error instanceof CommandError ? error.exitCode : 1;
  }
}

/** Says what went wrong on the standard error. */
export function complain(error: unknown): void {
  for (const message of messagesOf(error)) console.error(`error: ${withoutSecrets(message)}`);
}

/** What is foreseen (a refusal, a database that is away or says no) in one line each; of anything else where it came from, too. */
function messagesOf(error: unknown): readonly string[] {
  if (error instanceof CommandError) return error.messages;
  if (!(error instanceof Error)) return [String(error)];
  if ('code' in error) return [withoutDetail(error, error.message)];
  return [error.stack ?? error.message];
}
