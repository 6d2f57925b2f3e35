import { createClient, type Client, type RequestEvent, type ResponseEvent, type RetryEvent } from '@runward/sdk';
import type { Command } from 'commander';
import type { Format, Output } from './output/print.ts';
import { resolveConnection, type Connection } from './profiles/connection.ts';
import { isExposed, noProfiles, profilesPath, readProfiles } from './profiles/store.ts';
import { hush, note, tell } from './terminal/notes.ts';
import { version } from './version.ts';

/** The options every command takes. */
export interface GlobalOptions {
  readonly output?: Format;
  readonly fields?: readonly string[];
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly debug?: boolean;
}

/** What a command works with: how it prints, and the server it asks. */
export interface Cli {
  readonly globals: GlobalOptions;
  readonly output: Output;
  /** Settles which server and key are used; see resolveConnection for its errors. */
  connection(): Promise<Connection>;
  /** A client for that connection. */
  connect(): Promise<Client>;
}

/** Wraps the body of a command for commander: the body gets the arguments, then the options; a number it answers is the exit code. */
export function action(body: (cli: Cli, ...args: never[]) => Promise<number | void>) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    // What commander passes is what the command declared, which the types cannot know.
    const args = given.slice(0, -1) as never[];
    const code = await body(openCli(command.optsWithGlobals()), ...args);
    if (typeof code === 'number') process.exitCode = code;
  };
}

/** A client as commands use it. */
export function clientFor({ baseUrl, apiKey }: Omit<Connection, 'profile'>, { debug }: GlobalOptions): Client {
  return createClient({
    baseUrl,
    apiKey,
    appInfo: { name: 'runward-cli', version },
    ...(debug === true && { hooks: { onRequest: logRequest, onResponse: logResponse, onRetry: logRetry } }),
  });
}

function openCli(globals: GlobalOptions): Cli {
  if (globals.output === 'json' || globals.output === 'jsonl') hush();
  const connection = async () => {
    const stored = needsProfiles(globals) ? await readProfiles() : noProfiles;
    const resolved = resolveConnection({ flags: globals, env: process.env, stored });
    if (resolved.profile !== null && (await isExposed())) {
      note(`Others can read your keys in ${profilesPath()}. Run: chmod 600 ${profilesPath()}`);
    }
    return resolved;
  };
  return {
    globals,
    output: outputOf(globals),
    connection,
    connect: async () => clientFor(await connection(), globals),
  };
}

// Where the environment says everything, it must not matter what is stored on the machine.
function needsProfiles({ profile, baseUrl }: GlobalOptions): boolean {
  const { RUNWARD_API_KEY: apiKey, RUNWARD_BASE_URL: address } = process.env;
  return profile !== undefined || !apiKey || !(baseUrl ?? address);
}

function outputOf({ output, fields }: GlobalOptions): Output {
  const byPlace = process.stdout.isTTY ? 'table' : 'json';
  return { format: output ?? byPlace, chosen: output !== undefined, fields: fields ?? null };
}

// The SDK has replaced credentials in `headers` before it calls.
function logRequest({ method, url, attempt, headers }: RequestEvent): void {
  const again = attempt > 1 ? ` (attempt ${attempt})` : '';
  const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  tell(`> ${method} ${url}${again} [${named.join(', ')}]`);
}

function logResponse({ status, durationMs, requestId }: ResponseEvent): void {
  tell(`< ${status} in ${Math.round(durationMs)} ms (request ${requestId ?? 'without id'})`);
}

function logRetry({ error, delayMs }: RetryEvent): void {
  tell(`! ${error.message} Again in ${Math.round(delayMs)} ms.`);
}
