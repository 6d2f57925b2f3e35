/**
 * Repeats a statement that handles up to `size` rows and returns their number, until there are fewer. Each statement
 * thus ends within the allowed time, and other statements do not wait long for it. The signal ends the loop between two
 * statements.
 */
export async function inBatches(signal: AbortSignal, size: number, work: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await work()) === size);
}
