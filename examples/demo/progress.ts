/** Reports what the demo does. */
export interface Progress {
  /** Prints a line. */
  log(line: string): void;
  /**
   * Shows the state of a step. On a terminal, each line overwrites the previous one. Elsewhere, at most one line per
   * second is printed.
   */
  update(line: string): void;
}

const minIntervalMs = 1_000;

/** Reports progress on standard output. */
export function createProgress(output: NodeJS.WriteStream = process.stdout): Progress {
  let last = Date.now();
  return {
    log(line) {
      last = Date.now();
      output.write(`${output.isTTY ? '\r\u001B[2K' : ''}${line}\n`);
    },
    update(line) {
      if (output.isTTY) {
        output.write(`\r\u001B[2K  ${line.slice(0, (output.columns || 80) - 3)}`);
      } else if (Date.now() - last >= minIntervalMs) {
        last = Date.now();
        output.write(`  ${line}\n`);
      }
    },
  };
}
