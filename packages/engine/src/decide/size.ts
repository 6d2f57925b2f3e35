import { reject } from '../decision.ts';
import type { Environment } from '../environment.ts';
import type { Fact } from '../facts.ts';
import { jsonBytes } from '../json-bytes.ts';
import type { TaskDefinition } from '../process.ts';
import { isRetired, type EntryState, type RunState } from '../state.ts';

/** What an entry, a value or a task counts besides its JSON, because its row takes more than its content. */
const bytesPerRecord = 200;

/**
 * Sizes of entries and of definitions. A command leaves most of a run as it is, so that only what changed is measured
 * again.
 */
const sizes = new WeakMap<EntryState | TaskDefinition, number>();

const adding: ReadonlySet<Fact['type']> = new Set(['entry.opened', 'value.submitted', 'run.migrated']);

/**
 * Rejects facts that add to a run if this then takes more than the limit, and more than before. Tasks that its version
 * no longer has count, because each migration can leave all of a version behind.
 */
export function sizeRejection(
  before: RunState,
  after: RunState,
  facts: readonly Fact[],
  { runBytes = Infinity }: Pick<Environment, 'runBytes'>,
) {
  if (!facts.some(({ type }) => adding.has(type))) return null;
  const bytes = sizeOf(after);
  if (bytes <= runBytes || bytes <= sizeOf(before)) return null;
  return reject(
    'size_exceeded',
    `The entries and values of the run, and the tasks that it keeps of earlier versions, would take ${bytes} bytes, but ` +
      `they can take at most ${runBytes}; shorten values, discard open entries, or launch another run.`,
  );
}

function sizeOf({ tasks, removedTasks }: RunState): number {
  const left = [...tasks.filter(isRetired), ...removedTasks];
  const entries = [...tasks, ...removedTasks].flatMap((task) => task.entries);
  return [
    ...left.map(({ definition }) => measure(definition, 1)),
    ...entries.map((entry) => measure(entry, 1 + entry.values.length + entry.setAside.length)),
  ].reduce((sum, size) => sum + size, 0);
}

function measure(part: EntryState | TaskDefinition, records: number): number {
  const known = sizes.get(part);
  if (known !== undefined) return known;
  const size = jsonBytes(part) + bytesPerRecord * records;
  sizes.set(part, size);
  return size;
}
