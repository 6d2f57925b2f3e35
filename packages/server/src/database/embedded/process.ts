import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The operating system user that PostgreSQL runs as; without ids, the user of this process. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Spawn options of every PostgreSQL program. They start in the root folder, because the account may have no access to ours, and without
 * the `PG...` variables of the host.
 */
export function spawnOptions(account: Account) {
  return { ...account, cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } };
}

/** Runs a program to completion and returns its standard output. Throws an error whose message contains that of the program. */
export async function run(account: Account, file: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execute(file, args, spawnOptions(account));
  return stdout;
}

/** A token of the start time of process `pid` that no later process with the same number shares; undefined if there is no process. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return (await psColumn('lstart', pid)) || undefined;
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The program name in parentheses may contain anything, so fields are counted after it: state is the 1st, start time the 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${boot.trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** The command line of process `pid`, joined by spaces; empty if there is no such process or it is not visible. */
export async function commandOf(pid: number): Promise<string> {
  if (process.platform !== 'linux') return psColumn('command', pid);
  const parts = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return parts.replaceAll('\0', ' ').trim();
}

/** Whether `error` is a system error with this code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

async function psColumn(column: string, pid: number): Promise<string> {
  const output = await run({}, 'ps', ['-ww', '-o', `${column}=`, '-p', String(pid)]).catch(() => '');
  return output.trim();
}
