import { delimiter, dirname } from 'node:path';
import { repository, startCommand, type Program } from '@runward/testing/program';
import { isFollowing, type RunLine } from '../guides/shell.ts';

/** How a shell outside of the repository runs command lines. */
export interface ShellOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The folders with the commands of installed packages. */
  readonly commands?: readonly string[];
}

/** Starts a command line in a shell that finds Node and installed commands, but nothing of the repository. */
export function startLine(line: string, { cwd, env = {}, commands = [] }: ShellOptions): Program {
  const others = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.startsWith(repository));
  const PATH = [`${cwd}/bin`, ...commands, dirname(process.execPath), ...others].join(delimiter);
  return startCommand('sh', ['-c', line], { cwd, env: { HOME: cwd, ...env, PATH }, asGroup: true });
}

/** Runs the command lines of pages with installed commands, each in a separate process. */
export function runLineWith(commands: readonly string[]): RunLine {
  return async (line, place) => {
    const installed = line
      .replaceAll(/npm run (?:--silent )?runward -- /g, 'runward ')
      .replaceAll(/npm run (?:--silent )?admin -- /g, 'runward-admin ');
    const program = startLine(installed, { ...place, commands });
    const following = program.printed(isFollowing).catch(() => null);
    const isInterrupted = typeof (await Promise.race([following, program.ended])) === 'string';
    // A reader stops a following command with Ctrl-C, which also ends the shell.
    const code = await (isInterrupted ? program.end('SIGINT') : program.ended);
    return { code: isInterrupted ? 0 : (code ?? 1), stdout: program.stdout(), stderr: program.stderr() };
  };
}
