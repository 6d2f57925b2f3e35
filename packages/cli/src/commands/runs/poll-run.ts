import type { Client, Run } from '@runward/sdk';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { exitCodes, type ExitCode } from '../../errors.ts';
import { seconds } from '../../options.ts';
import { durationMs, pollIntervalMs } from '../../time.ts';

/** For polling commands: a run can take hours, and the command must survive a restart of the server. */
export const retries = { maxRetries: 8 };

/** How long a command waits. */
export interface WaitOptions {
  /** Seconds between two polls. */
  readonly interval: number;
  /** Milliseconds after which the command gives up. */
  readonly within?: number;
}

/** What a command waits for. */
export interface Goal {
  /** The exit code if the wait is over, else null. */
  readonly codeOf: (run: Run) => ExitCode | null;
  /** How far it is, in a line. */
  readonly progressOf: (run: Run) => string;
}

/** Adds the options of commands that wait. */
export function addWaitOptions(command: Command): Command {
  return command
    .option('--within <duration>', 'give up after this time, like 90s, 30m, 12h or 2d (default: never)', durationMs)
    .option('--interval <seconds>', 'how often to poll the server', seconds, 2);
}

/**
 * Polls a run until the wait is over, and prints progress when it changes. Returns the last state of the run and the
 * exit code.
 */
export async function waitForGoal(
  { info, pause }: Cli,
  { runs }: Client,
  id: string,
  { interval, within = Infinity }: WaitOptions,
  { codeOf, progressOf }: Goal,
): Promise<{ run: Run; code: ExitCode }> {
  const deadline = Date.now() + within;
  for (let shown = ''; ;) {
    const run = await runs.get(id, {}, retries);
    const progress = progressOf(run);
    if (progress !== shown) info(progress);
    shown = progress;
    const code = codeOf(run);
    if (code !== null) return { run, code };
    const leftMs = deadline - Date.now();
    if (leftMs <= 0) {
      info('Gave up, because the time of --within is over.');
      return { run, code: exitCodes.timedOut };
    }
    await pause(Math.min(pollIntervalMs(interval), leftMs));
  }
}

/** Whether a run has ended. It can still be reopened. */
export function isOver({ status }: Run): boolean {
  return status === 'COMPLETED' || status === 'CANCELLED';
}
