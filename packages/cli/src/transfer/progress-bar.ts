import type { Cli } from '../cli.ts';
import { printable } from '../output/printable.ts';
import { noProgress, type Progress } from '../terminal/progress.ts';

const width = 24;

/** Shows the progress of a transfer on a terminal, like `scan.pdf [######----] 60 % of 12.3 MB`. */
export function showTransfer(cli: Cli, label: string) {
  let progress: Progress | null = null;
  let shown = 0;
  return {
    /** Sets the number of bytes done. It decreases when the transfer starts again. */
    update(done: number, total: number): void {
      progress ??= cli.progress({ line: barOf(label, total), lineIntervalMs: null });
      progress.advance(done - shown);
      shown = done;
    },
    end: () => (progress ?? noProgress).end(),
  };
}

function barOf(label: string, total: number): (done: number) => string {
  return (done) => {
    const part = total === 0 ? 1 : Math.min(1, done / total);
    const filled = Math.round(part * width);
    const percent = String(Math.floor(part * 100)).padStart(3);
    return `${printable(label)} [${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${percent} % of ${size(total)}`;
  };
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [unit, divisor] = bytes < 1_000_000 ? ['kB', 1000] : ['MB', 1_000_000];
  return `${(bytes / divisor).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}
