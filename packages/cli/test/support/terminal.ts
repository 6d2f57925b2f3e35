import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { command, environment, type CommandOptions } from './command.ts';

/** Whether this machine can run commands on a pseudo-terminal (`script` of util-linux). */
export const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

/** A test that needs a terminal. It is skipped on a machine that cannot have one. */
export const onTerminal = hasTerminal ? test : test.skip;

/** The characters a terminal sends for a key. */
export const keys = {
  enter: '\r',
  down: '\u001B[B',
  space: ' ',
  escape: '\u001B',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  clear: '\u0015',
} as const;

/** A command on a terminal. */
export interface Terminal {
  /** Waits until the screen shows a text after the text of the previous call, then types. */
  type(shown: string, ...typed: readonly string[]): Promise<void>;
  /** Closes the terminal, like closing its window or losing its connection. */
  hangUp(): void;
  /** The result of the command, when it has ended. */
  end(): Promise<{ code: number | null; screen: string }>;
}

/** Starts `runward` on a terminal of 100 columns that shows stdout and stderr. */
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
    async type(shown, ...typed) {
      const isShown = () => screen.includes(shown, seen);
      await until(() => isShown() || child.stdout.closed, `"${shown}" on the screen`).catch(() => {});
      if (!isShown()) throw new Error(`"${shown}" was not shown:\n${screen}`);
      seen = screen.indexOf(shown, seen) + shown.length;
      for (const key of typed) {
        child.stdin.write(key);
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
    },
    // Nothing but the program holds the other end of the terminal.
    hangUp: () => void child.kill('SIGKILL'),
    async end() {
      const [code] = await closed;
      return { code: code as number | null, screen };
    },
  };
}
