import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';

const root = dirname(dirname(dirname(dirname(import.meta.dirname))));

/** How a command ended. */
export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The administration command as a process of its own, in an environment of this alone. */
export function adminIn(env: Record<string, string>) {
  const start = async (file: string, args: readonly string[], stdin: string): Promise<CommandEnd> => {
    const child = spawn(file, args, { cwd: root, env: { PATH: process.env['PATH'], ...env } });
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
    const ended = once(child, 'exit');
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await ended;
    return { code: code as number | null, stdout, stderr };
  };
  const run = (args: readonly string[], stdin = '') =>
    start(process.execPath, ['--conditions=@runward/source', 'packages/server/src/admin/main.ts', ...args], stdin);
  return {
    run,
    /** The way people start it. */
    npmRun: (args: readonly string[]) => start('npm', ['run', '--silent', 'admin', '--', ...args], ''),
    /** What a command that must succeed prints with --json. */
    json: async (args: readonly string[], stdin = ''): Promise<Record<string, string>> => {
      const { code, stdout, stderr } = await run([...args, '--json'], stdin);
      if (code !== 0) throw new Error(`admin ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as Record<string, string>;
    },
  };
}
