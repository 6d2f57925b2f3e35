import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { Em } from '../database/database.ts';
import { withDatabase } from './database.ts';
import { usage } from './command-error.ts';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What every command works with. */
export interface CommandContext {
  /** Works in one transaction on the service's database, brought up to date. */
  work<Result>(work: (em: Em) => Promise<Result>): Promise<Result>;
  /** Prints what came of a command: `result` with --json, else the text. */
  print(result: unknown, text: string): void;
  /** Time zone of an organization that names none. */
  readonly timeZone: string;
}

/** Wraps the body of a command for commander: the body gets its context, then its arguments and options. */
export function action(env: Environment, body: (context: CommandContext, ...args: never[]) => Promise<void>) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    // What commander passes is what the command declared, which the types cannot know.
    await body(openContext(env, command.optsWithGlobals()), ...(given.slice(0, -1) as never[]));
  };
}

function openContext(env: Environment, { json = false }: { json?: boolean }): CommandContext {
  const config = configOf(env);
  return {
    work: (work) => withDatabase(config, work),
    print: (result, text) => console.log(json ? JSON.stringify(result, null, 2) : text),
    timeZone: config.timeZone,
  };
}

function configOf(env: Environment) {
  try {
    return readConfig(env);
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}
