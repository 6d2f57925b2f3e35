import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Client, type Hooks } from '@runward/sdk';
import type { Invocation } from './action.ts';
import { interrupted } from './errors.ts';
import type { Io } from './io.ts';
import { checkFields, withParts, type Layout } from './output/cells.ts';
import type { Format } from './output/formats.ts';
import { openOutput, type Output } from './output/print.ts';
import { resolveConnection, type Connection } from './profiles/connection.ts';
import { isExposed, noProfiles, profilesPath, readProfiles } from './profiles/store.ts';
import { sayDeprecations } from './terminal/deprecations.ts';
import { printLine, type Messages } from './terminal/messages.ts';
import { noProgress, startProgress, type Progress, type ProgressOptions } from './terminal/progress.ts';
import { openPrompts, type Prompts } from './terminal/prompts.ts';
import { sayWaits } from './terminal/waits.ts';
import { version } from './version.ts';

/** The options of every command. */
export interface GlobalOptions {
  readonly output?: Format;
  readonly fields?: readonly string[];
  /** Filters the JSON that is printed. */
  readonly jq?: string;
  readonly profile?: string;
  readonly baseUrl?: string;
  /** How long to wait for a response, in seconds. */
  readonly timeout?: number;
  readonly debug?: boolean;
}

/** What a command works with. */
export interface Cli extends Messages {
  readonly io: Io;
  readonly globals: GlobalOptions;
  readonly output: Output;
  /** Null if there is no terminal to ask on. */
  readonly prompts: Prompts | null;
  /** Shows progress on stderr, except with `-o json` and `-o jsonl`. */
  progress(options: ProgressOptions): Progress;
  /** Finds the server and the API key to use. See resolveConnection for its errors. */
  connection(): Promise<Connection>;
  /** A client for that connection, or for the one given. */
  connect(connection?: ServerAndKey): Promise<Client>;
  /**
   * A client for a change whose result is printed with this layout. The names of `--fields` are checked first: an error
   * after the change would let people make it again.
   */
  connectToChange(result: Layout): Promise<Client>;
  /** Waits. Throws when the command is to stop meanwhile. */
  pause(ms: number): Promise<void>;
  /**
   * Lets the command finish its work instead of being stopped at once. Until disposed, `onStop` is called when the
   * command should stop; the command then completes what is under way and returns.
   */
  stopGracefully(onStop?: () => void): Disposable;
}

type ServerAndKey = Omit<Connection, 'profile'>;

/** Creates what a command works with, from the global options of its command line. */
export function openCli(invocation: Invocation, globals: GlobalOptions): Cli {
  const { io } = invocation;
  const { signal } = io;
  const isForProgram = globals.output === 'json' || globals.output === 'jsonl';
  let progress = noProgress;
  const warn = (text: string) => {
    progress.leaveLine();
    printLine(io, text);
  };
  const info = (text: string) => {
    if (!isForProgram) warn(text);
  };
  const connection = async () => {
    const stored = needsProfiles(io, globals) ? await readProfiles(io) : noProfiles;
    const resolved = resolveConnection({ flags: globals, env: io.env, stored });
    if (resolved.profile !== null && (await isExposed(io))) {
      info(`Other users can read the API keys in ${profilesPath(io)}. Run: chmod 600 ${profilesPath(io)}`);
    }
    return resolved;
  };
  const output = openOutput(io, globals, () => {
    // Nothing may be printed after a stop, because the program that stopped the command does not wait for it.
    if (signal.aborted && !invocation.stopsGracefully) throw interrupted();
  });
  const connect: Cli['connect'] = async (given) => clientFor(given ?? (await connection()), globals, { info, warn });
  return {
    io,
    globals,
    output,
    prompts: openPrompts(io),
    info,
    warn,
    progress: (options) => {
      progress = isForProgram ? noProgress : startProgress(io, options);
      return progress;
    },
    connection,
    connect,
    connectToChange: async (result) => {
      const { fields } = output;
      if (fields) checkFields(fields, await withParts(result, fields));
      return connect();
    },
    pause: async (ms) => {
      await sleep(ms, undefined, { signal }).catch((error: unknown) => {
        throw signal.aborted ? interrupted() : error;
      });
    },
    stopGracefully: (onStop = () => {}) => {
      invocation.stopsGracefully = true;
      signal.addEventListener('abort', onStop);
      return {
        [Symbol.dispose]() {
          invocation.stopsGracefully = false;
          signal.removeEventListener('abort', onStop);
        },
      };
    },
  };
}

// If the environment supplies server and key, stored profiles are ignored, even damaged ones.
function needsProfiles({ env }: Io, { profile, baseUrl }: GlobalOptions): boolean {
  return profile !== undefined || !env['RUNWARD_API_KEY'] || !(baseUrl ?? env['RUNWARD_BASE_URL']);
}

function clientFor({ baseUrl, apiKey }: ServerAndKey, { debug, timeout }: GlobalOptions, messages: Messages): Client {
  const onWait = sayWaits(messages.info);
  const onDeprecation = sayDeprecations(messages.info);
  const hooks: Hooks =
    debug === true ? debugHooks(messages.warn) : { onRetry: ({ error, delayMs }) => onWait(error, delayMs) };
  return createClient({
    baseUrl,
    apiKey,
    appInfo: { name: 'runward-cli', version },
    timeoutMs: timeout && timeout * 1000,
    hooks: {
      ...hooks,
      onResponse: (context) => {
        void hooks.onResponse?.(context);
        void onDeprecation(context);
      },
    },
  });
}

// The SDK has redacted credentials in headers before it calls a hook. The path of a shared template contains its token.
function debugHooks(print: (line: string) => void): Hooks {
  const log = (line: string) => print(line.replaceAll(/share_[0-9A-Za-z]+/g, 'share_[redacted]'));
  return {
    onRequest({ request, attempt, options: { method, headers } }) {
      const count = attempt > 1 ? ` (attempt ${attempt})` : '';
      const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
      log(`> ${method} ${request}${count} [${lines.join(', ')}]`);
    },
    onResponse({ response: { status, headers }, durationMs }) {
      log(`< ${status} in ${Math.round(durationMs)} ms (request ${headers.get('x-request-id') ?? 'without id'})`);
    },
    onRetry({ error, delayMs }) {
      log(`! ${error.message} Retrying in ${Math.round(delayMs)} ms.`);
    },
  };
}
