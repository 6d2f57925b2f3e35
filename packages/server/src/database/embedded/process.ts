import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The user a PostgreSQL program runs as; without ids it is the user of this process. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Spawn options of every PostgreSQL program. They start in the root folder, because the account may not be allowed into
 * ours, and they see no `PG...` variable of the host.
 */
export function spawnOptions(account: Account) {
  return { ...account, cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } };
}

/** Runs a program to its end and returns what it printed. Throws an error whose message holds the program's own. */
export async function run(account: Account, file: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execute(file, args, spawnOptions(account));
  return stdout;
}

/** When process `pid` was born, as a token no other process of that number shares; undefined when there is none. */
export async function birthOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return (await ask('lstart', pid)) || undefined;
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The program's name, in brackets, may hold anything, so fields count from its end: state 1st, start time 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${boot.trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** The command line of process `pid`, parts joined by blanks; empty when there is none or it may not be seen. */
export async function commandOf(pid: number): Promise<string> {
  if (process.platform !== 'linux') return ask('command', pid);
  const parts = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return parts.replaceAll('\0', ' ').trim();
}

/** Whether `error` is a system error of that code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

async function ask(column: string, pid: number): Promise<string> {
  const answer = await run({}, 'ps', ['-ww', '-o', `${column}=`, '-p', String(pid)]).catch(() => '');
  return answer.trim();
}
