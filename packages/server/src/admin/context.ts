import type { Command } from 'commander';
import type { Client } from 'pg';
import { createPasswords, type Passwords } from '../access/passwords.ts';
import type { FileStoreSettings } from '../adapters/open-file-store.ts';
import { readConfig } from '../config.ts';
import type { Em } from '../database/database.ts';
import { usageError } from './command-error.ts';
import { inServiceTransaction, withServiceClient, withServiceUrl } from './database.ts';
import { readPassword } from './input.ts';
import type { Environment, Io } from './io.ts';

/** What every command gets. */
export interface CommandContext {
  /** Runs `work` in one transaction on the migrated database of the service. */
  inTransaction<Result>(work: (em: Em) => Promise<Result>): Promise<Result>;
  /** Runs `work` with the URL of the database of the service, which is not migrated. */
  withUrl<Result>(work: (url: string) => Promise<Result>): Promise<Result>;
  /** Runs `work` on one connection to that database, which is not migrated. Throws a command error behind a pooler. */
  withClient<Result>(work: (client: Client, url: string) => Promise<Result>): Promise<Result>;
  /** Prints `result` as JSON with --json, or else `text`. */
  print(result: unknown, text: string): void;
  /** Reads a password from the first line of standard input. Throws a usage error if standard input is a terminal. */
  readPassword(): Promise<string>;
  readonly passwords: Passwords;
  /** The database that an organization moves to; if undefined, that of the service. */
  readonly targetDatabaseUrl: string | undefined;
  /** Where the service stores files. */
  readonly fileStore: FileStoreSettings;
  /** Where members reach the service, without a trailing slash. Throws a usage error if `BASE_URL` is not set. */
  readonly baseUrl: () => string;
  /** Default time zone of a new organization. */
  readonly timeZone: string;
}

/**
 * Wraps the body of a command for commander. The body gets its context, then the arguments and options of the command.
 */
export function action(io: Io, body: (context: CommandContext, ...args: never[]) => Promise<void>) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    // The types do not know that commander passes the declared arguments and options of the command.
    await body(openContext(io, command.optsWithGlobals()), ...(given.slice(0, -1) as never[]));
  };
}

function openContext({ env, stdin, stdout }: Io, { json = false }: { json?: boolean }): CommandContext {
  const config = configOf(env);
  return {
    inTransaction: (work) => inServiceTransaction(config, work),
    withUrl: (work) => withServiceUrl(config, work),
    withClient: (work) => withServiceClient(config, work),
    print: (result, text) => void stdout.write(`${json ? JSON.stringify(result, null, 2) : text}\n`),
    readPassword: () => readPassword(stdin),
    passwords: createPasswords(),
    targetDatabaseUrl: config.targetDatabaseUrl,
    // Commands create no URLs.
    fileStore: { dataDir: config.dataDir, filesUrl: config.filesUrl, filesKey: config.filesKey, baseUrl: '' },
    baseUrl: () => {
      if (config.baseUrl !== undefined) return config.baseUrl;
      throw usageError('BASE_URL: not set, so the URL of the link is unknown; set it as the service has it');
    },
    timeZone: config.timeZone,
  };
}

function configOf(env: Environment) {
  try {
    return readConfig(env);
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error));
  }
}
