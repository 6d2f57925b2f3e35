import type { Output } from '../output/print.ts';

/** A count that goes up while something is done. */
export interface Progress {
  advance(): void;
  end(): void;
}

const everyMs = { drawn: 100, line: 10_000 };

/** Shows how far something is on the standard error: a line that is redrawn on a terminal, else a line every 10 s. Nothing with `-o json`. */
export function startProgress(what: string, total: number, { format, chosen }: Output): Progress {
  const silent = chosen && format !== 'table' && format !== 'csv';
  const drawn = process.stderr.isTTY;
  let done = 0;
  let told = Date.now();
  const show = () => process.stderr.write(drawn ? `\r${what}: ${done} of ${total}` : `${what}: ${done} of ${total}\n`);
  return {
    advance() {
      done += 1;
      if (silent || Date.now() - told < (drawn ? everyMs.drawn : everyMs.line)) return;
      told = Date.now();
      show();
    },
    end() {
      if (silent || !drawn || done === 0) return;
      show();
      process.stderr.write('\n');
    },
  };
}
