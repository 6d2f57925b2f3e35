import { CommanderError, type Command } from 'commander';
import type { Invocation } from './action.ts';
import type { ErrorReport } from './error-report.ts';
import { exitCodes, isInterrupted, interrupted, type ExitCode } from './errors.ts';
import type { Io } from './io.ts';
import { toJson } from './output/printable.ts';
import { buildProgram } from './program.ts';
import { printError, printLine } from './terminal/messages.ts';

/**
 * Runs a command line (the arguments after `runward`). Prints its result, or why it failed. Resolves to the exit code;
 * never rejects, and never ends the process.
 */
export async function run(args: readonly string[], given: Io): Promise<ExitCode> {
  // Set before parsing, so that it also applies to help and usage errors.
  const io = args.includes('--no-color')
    ? { ...given, env: { ...given.env, NO_COLOR: '1', FORCE_COLOR: undefined } }
    : given;
  const invocation: Invocation = { io, exitCode: exitCodes.ok, stopsGracefully: false };
  const program = await buildProgram(invocation, args);
  const ended = new AbortController();
  try {
    await Promise.race([program.parseAsync(args, { from: 'user' }), whenStopped(invocation, ended.signal)]);
    // Commands that finish what is under way do not know which signal stopped them.
    return invocation.exitCode === exitCodes.interrupted ? stopCode(io.signal) : invocation.exitCode;
  } catch (error) {
    if (isInterrupted(error) && io.signal.aborted) return stopCode(io.signal);
    // Help and --version are "errors" of commander that were printed already.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage;
    const { output, debug } = program.opts<{ output?: string; debug?: boolean }>();
    const { report } = await import('./error-report.ts');
    const reported = report(error);
    if (output === 'json' || output === 'jsonl') printLine(io, toJson(reported));
    else
      printError(io, [
        ...withOptions(reported, program, args),
        ...hints(reported),
        ...(await usageHints(error, invocation, program, args)),
      ]);
    if (debug === true && error instanceof Error) printLine(io, error.stack ?? '');
    return reported.exitCode;
  } finally {
    ended.abort();
  }
}

/** Rejects when the command must stop at once, because it does not handle stopping itself. */
function whenStopped(invocation: Invocation, ended: AbortSignal): Promise<never> {
  const { signal } = invocation.io;
  return new Promise((_, reject) => {
    const stop = () => {
      if (!invocation.stopsGracefully) reject(interrupted());
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { signal: ended });
  });
}

function stopCode({ reason }: AbortSignal): ExitCode {
  return reason === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted;
}

const checkUrl = 'Check the path and the URL of the server (--base-url, RUNWARD_BASE_URL or the profile).';
const checkRecord = 'It may have been deleted, or belong to another organization; see: runward whoami';

function hints({ requestId, statusCode, code }: ErrorReport): string[] {
  // Other servers send no code.
  const unknownPath = code === undefined || code === 'endpoint_not_found';
  return [
    ...(statusCode === 404 ? [unknownPath ? checkUrl : checkRecord] : []),
    ...(statusCode === 401 ? ['To store another key: runward login'] : []),
    ...(requestId === undefined ? [] : [`(request ${requestId})`]),
  ];
}

/** The messages of a rejection, with the options of the command in place of the properties that they set. */
function withOptions({ messages, statusCode }: ErrorReport, program: Command, args: readonly string[]): string[] {
  const { command } = commandOf(program, args);
  return messages.map((message) => {
    const [start = '', property = ''] = /^(\w+): /.exec(message) ?? [];
    const option = command.options.find((each) => each.attributeName() === property);
    const isGiven = statusCode === 400 && command.getOptionValue(property) !== undefined;
    return option && isGiven ? `${option.long}: ${message.slice(start.length)}` : message;
  });
}

/** What to type instead of an invalid command line. */
async function usageHints(
  error: unknown,
  invocation: Invocation,
  program: Command,
  args: readonly string[],
): Promise<string[]> {
  if (!(error instanceof CommanderError)) return [];
  const { names, command } = commandOf(program, args);
  const see = `See: ${names.join(' ')} --help`;
  if (error.code !== 'commander.excessArguments') return [see];
  const { surplusHints } = await import('./surplus.ts');
  // The program has only the options of the commands that are named.
  const { command: loaded } = commandOf(await buildProgram(invocation, null), names);
  return [...surplusHints(command, loaded.parent?.parent ? loaded.parent.commands : []), see];
}

/** The longest existing command at the start of a command line: `runward runs list`. */
function commandOf(program: Command, args: readonly string[]): { names: readonly string[]; command: Command } {
  let command = program;
  const names = ['runward'];
  for (const word of args) {
    const next = command.commands.find((each) => each.name() === word);
    if (!next || word === 'help') continue;
    command = next;
    names.push(word);
  }
  return { names, command };
}
