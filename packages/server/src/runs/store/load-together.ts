import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { together } from '../../database/together.ts';
import type { StoredRun } from './known-runs.ts';
import { overview, selectEachRun, whole, type SelectedRun } from './select-run.ts';

/** A known run, the organization that reads it, and the key of the request. */
interface Wanted {
  readonly organizationId: string;
  readonly keyHash: Buffer | null;
  readonly known: StoredRun;
}

/** Undefined if the organization has no such run. */
type Read = (call: { readonly em: Em; readonly wanted: Wanted }) => Promise<SelectedRun | undefined>;

const bounds = { atATime: 2, most: 50 };

/** By database, because a statement runs on one of them. */
const readers = new WeakMap<object, Readonly<Record<'overview' | 'whole', Read>>>();

/**
 * Reads a known run, together with those that other requests read at the same time. Little is read of each, because nobody has changed most
 * of them, so that no request has to wait for a large run of another one.
 */
export async function readKnownRun(em: Em, wanted: Wanted, { forms }: { readonly forms: boolean }) {
  const database = em.getDriver();
  const reader = readers.get(database) ?? { overview: readerOf(overview), whole: readerOf(whole) };
  readers.set(database, reader);
  return reader[forms ? 'whole' : 'overview']({ em, wanted });
}

function readerOf(parts: typeof whole): Read {
  const read = statement<SelectedRun & { readonly place: number }>(selectEachRun(parts));
  return together(async (calls) => {
    const [first] = calls;
    if (!first) return [];
    const all = calls.map(({ wanted }) => wanted);
    const rows = await read(
      first.em,
      all.map(({ organizationId }) => organizationId),
      all.map(({ known }) => known.state.id),
      all.map(({ keyHash }) => keyHash),
      all.map(({ known }) => known.activityHash),
    );
    const found = new Map(rows.map((row) => [row.place - 1, row]));
    return all.map((wanted, place) => ensureWanted(wanted, found.get(place)));
  }, bounds);
}

/** A request must never get the run of another one, whatever goes wrong above. */
function ensureWanted({ organizationId, known }: Wanted, selected: SelectedRun | undefined): SelectedRun | undefined {
  const { id } = known.state;
  if (selected && (selected.organizationId !== organizationId || selected.runId !== id)) {
    throw new Error(`Run ${id} was requested, but run ${selected.runId} was read.`);
  }
  return selected;
}
