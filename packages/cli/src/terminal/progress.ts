import type { Io } from '../io.ts';

/** The progress of a command. */
export interface Progress {
  /** Adds the amount done since the last call. */
  advance(amount: number): void;
  /** Ends the current line, so that a message gets its own line. */
  leaveLine(): void;
  end(): void;
}

/** How progress is shown. */
export interface ProgressOptions {
  /** The line for the amount done so far. */
  readonly line: (done: number) => string;
  /** Milliseconds between lines if stderr is not a terminal. Null prints nothing there. */
  readonly lineIntervalMs: number | null;
}

const redrawIntervalMs = 100;

/** Shows progress on stderr: a single redrawn line on a terminal, otherwise a new line from time to time. */
export function startProgress({ stderr }: Io, { line, lineIntervalMs }: ProgressOptions): Progress {
  const isTerminal = stderr.isTTY === true;
  const intervalMs = isTerminal ? redrawIntervalMs : (lineIntervalMs ?? Infinity);
  let done = 0;
  let lastShown = Date.now();
  let isOnLine = false;
  const show = () => {
    isOnLine = isTerminal;
    stderr.write(isTerminal ? `\r${line(done)}` : `${line(done)}\n`);
  };
  const leaveLine = () => {
    if (isOnLine) stderr.write('\n');
    isOnLine = false;
  };
  return {
    advance(amount) {
      done += amount;
      if (Date.now() - lastShown < intervalMs) return;
      lastShown = Date.now();
      show();
    },
    leaveLine,
    end() {
      if (!isTerminal || done === 0) return;
      show();
      leaveLine();
    },
  };
}

/** Shows no progress. */
export const noProgress: Progress = { advance: () => {}, leaveLine: () => {}, end: () => {} };
