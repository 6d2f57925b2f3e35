import type { Io } from '../io.ts';
import type { Output } from '../output/print.ts';

/** A count of finished items. */
export interface Progress {
  advance(): void;
  end(): void;
}

const intervalMs = { terminal: 100, line: 10_000 };

/**
 * Shows progress on stderr: a line that is redrawn on a terminal, otherwise a line every 10 s. With `-o json` and `-o jsonl` it shows
 * nothing.
 */
export function startProgress({ stderr }: Io, what: string, total: number, { format, chosen }: Output): Progress {
  const isSilent = chosen && format !== 'table' && format !== 'csv';
  const isTerminal = stderr.isTTY === true;
  let done = 0;
  let lastShown = Date.now();
  const show = () => stderr.write(isTerminal ? `\r${what}: ${done} of ${total}` : `${what}: ${done} of ${total}\n`);
  return {
    advance() {
      done += 1;
      if (isSilent || Date.now() - lastShown < (isTerminal ? intervalMs.terminal : intervalMs.line)) return;
      lastShown = Date.now();
      show();
    },
    end() {
      if (isSilent || !isTerminal || done === 0) return;
      show();
      stderr.write('\n');
    },
  };
}
