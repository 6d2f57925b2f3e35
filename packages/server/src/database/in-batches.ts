/**
 * Repeats a statement that works off up to `size` rows and returns how many it found, until these were fewer: so each ends within the time that
 * a statement may take, and no other waits long for it. The signal ends it between two.
 */
export async function inBatches(signal: AbortSignal, size: number, work: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await work()) === size);
}
