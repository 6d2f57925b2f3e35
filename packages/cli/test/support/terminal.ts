import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import type { ExecutionContext } from 'ava';
import { command, environment, type CommandOptions } from './command.ts';

/** Whether this machine can give a command a terminal of its own (`script` of util-linux). */
export const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

/** Keys as a terminal sends them. */
export const keys = { enter: '\r', down: '\u001B[B', space: ' ', ctrlC: '\u0003', clear: '\u0015' } as const;

/** A command on a terminal, and someone who reads and types. */
export interface Terminal {
  /** Waits until the screen shows a text after what was seen before, then types. */
  answer(shown: string, ...typed: readonly string[]): Promise<void>;
  /** Waits for the end of the command. */
  end(): Promise<{ code: number | null; screen: string }>;
}

/** Starts `runward` on a terminal 100 columns wide; output and errors appear on it together. */
export function openTerminal(t: ExecutionContext, args: readonly string[], { env }: CommandOptions = {}): Terminal {
  const line = [...command, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const child = spawn('script', ['-qefc', `stty rows 40 cols 100; exec ${line}`, '/dev/null'], {
    env: { ...environment(env), TERM: 'xterm', SHELL: '/bin/sh' },
  });
  t.teardown(() => child.kill());
  let screen = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    screen += stripVTControlCharacters(chunk);
  });
  const closed = once(child, 'close');

  return {
    async answer(shown, ...typed) {
      const deadline = Date.now() + 15_000;
      while (!screen.includes(shown, seen)) {
        const late =
          child.exitCode === null && Date.now() < deadline ? null : new Error(`"${shown}" was not shown:\n${screen}`);
        if (late) throw late;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      seen = screen.indexOf(shown, seen) + shown.length;
      for (const key of typed) {
        child.stdin.write(key);
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
    },
    async end() {
      const [code] = await closed;
      return { code: code as number | null, screen };
    },
  };
}
