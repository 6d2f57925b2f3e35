import type { Io } from './io.ts';

/** The line on a terminal that says what a command is doing. */
export interface ProgressLine {
  show(text: string): void;
  clear(): void;
}

/** Shows what a command is doing in one line, which the next one replaces. Shows nothing if stderr is no terminal. */
export function progressLine({ stderr }: Pick<Io, 'stderr'>): ProgressLine {
  const write = (text: string) => {
    if (stderr.isTTY === true) stderr.write(`\r\u001b[K${text}`);
  };
  return { show: write, clear: () => write('') };
}
