import { reject } from '../decision.ts';
import type { Environment } from '../environment.ts';
import type { Fact } from '../facts.ts';
import { jsonBytes } from '../json-bytes.ts';
import type { EntryState, RunState } from '../state.ts';

/** What an entry or a value counts besides its JSON, because its row takes more than its content. */
const bytesPerRecord = 200;

/**
 * Sizes of entries. A command leaves most entries of a run as they are, so that only those that changed are measured
 * again.
 */
const sizes = new WeakMap<EntryState, number>();

/** Rejects facts that add entries or values if these then take more than the limit, and more than before. */
export function sizeRejection(
  before: RunState,
  after: RunState,
  facts: readonly Fact[],
  { runBytes = Infinity }: Pick<Environment, 'runBytes'>,
) {
  if (!facts.some(({ type }) => type === 'entry.opened' || type === 'value.submitted')) return null;
  const bytes = sizeOf(after);
  if (bytes <= runBytes || bytes <= sizeOf(before)) return null;
  return reject(
    'size_exceeded',
    `The entries and values of the run would take ${bytes} bytes, but they can take at most ${runBytes}; shorten values, ` +
      'discard open entries, or launch another run.',
  );
}

function sizeOf({ tasks, removedTasks }: RunState): number {
  const entries = [...tasks, ...removedTasks].flatMap((task) => task.entries);
  return entries.reduce((sum, entry) => sum + entrySize(entry), 0);
}

function entrySize(entry: EntryState): number {
  const known = sizes.get(entry);
  if (known !== undefined) return known;
  const size = jsonBytes(entry) + bytesPerRecord * (1 + entry.values.length + entry.setAside.length);
  sizes.set(entry, size);
  return size;
}
