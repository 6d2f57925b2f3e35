/** Says what the demo does. */
export interface Progress {
  /** Prints a line that stays. */
  say(line: string): void;
  /** How far a step is: a line that renews itself on a terminal, elsewhere a plain line now and then. */
  show(line: string): void;
}

const leastBetweenPlainLines = 1_000;

/** Progress on standard output. */
export function createProgress(output: NodeJS.WriteStream = process.stdout): Progress {
  let last = Date.now();
  return {
    say(line) {
      last = Date.now();
      output.write(`${output.isTTY ? '\r\u001B[2K' : ''}${line}\n`);
    },
    show(line) {
      if (output.isTTY) {
        output.write(`\r\u001B[2K  ${line.slice(0, (output.columns || 80) - 3)}`);
      } else if (Date.now() - last >= leastBetweenPlainLines) {
        last = Date.now();
        output.write(`  ${line}\n`);
      }
    },
  };
}
