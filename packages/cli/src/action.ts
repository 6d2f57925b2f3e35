import type { Command } from 'commander';
import type { Cli, GlobalOptions } from './cli.ts';
import type { ExitCode } from './errors.ts';
import type { Io } from './io.ts';

/** One invocation of `runward`. The command that runs sets the properties that are not read-only. */
export interface Invocation {
  readonly io: Io;
  exitCode: ExitCode;
  /** Whether the command ends by itself when it is to stop. */
  stopsGracefully: boolean;
}

/** The body of a command: gets its arguments, then its options. Returns the exit code if it is not 0. */
type Body = (cli: Cli, ...args: never[]) => Promise<ExitCode | void>;

/** Wraps the body of a command as the action that commander calls. */
export type Action = (body: Body) => (...given: unknown[]) => Promise<void>;

/** The {@link Action} of an invocation. */
export function bindAction(invocation: Invocation): Action {
  return (body) =>
    async (...given) => {
      const command = given.at(-1) as Command;
      // commander passes the declared arguments and options, but its types cannot know which ones.
      const args = given.slice(0, -1) as never[];
      // Help and completion do without it.
      const { openCli } = await import('./cli.ts');
      const globals = command.optsWithGlobals<GlobalOptions>();
      const cli = openCli(invocation, globals);
      const { jq } = globals;
      const run = async (given: Cli) => body(given, ...args);
      const code =
        jq === undefined ? await run(cli) : await (await import('./output/filtered.ts')).withFilter(cli, jq, run);
      if (code !== undefined) invocation.exitCode = code;
    };
}
