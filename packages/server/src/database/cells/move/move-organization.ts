import { setTimeout as pause } from 'node:timers/promises';
import { clashesOf } from './clashes.ts';
import {
  deleteOrganization,
  deleteState,
  hasOrganization,
  lockMove,
  MoveError,
  readState,
  writeState,
} from './move-state.ts';
import { movedTables, type MovedTable } from './moved-tables.ts';
import { reconcile, type Pass, type TwoCells } from './reconcile.ts';
import { hasEarlierWork, secondsInStep, waitForWrites } from './stop-writes.ts';

/** A move of an organization between two cells. */
export interface Move extends TwoCells {
  readonly organizationId: string;
  /** The cell that serves the organization, by the name that the other one knows it by. */
  readonly from: string;
  /** The cell that will serve it, likewise. */
  readonly to: string;
  /** At least how long requests and jobs get that began before they knew of the move. */
  readonly drainSeconds?: number;
  /**
   * Called when the rows are equal, before the other cell serves the organization. If the move is interrupted in
   * between, what it wrote there is removed again.
   */
  readonly arrived?: () => Promise<void>;
  /** Called with what is being done. */
  readonly report?: (text: string) => void;
}

/** The end of a move. */
export interface MoveResult {
  /** How many rows were moved. Null if an earlier call had moved them. */
  readonly rows: number | null;
  /** For how long the organization could not write. */
  readonly stoppedSeconds: number;
}

/**
 * A request that was admitted without knowing of the move begins its transaction within 11 s, or fails. The leases of
 * workers, and transactions that have begun, are waited for apart from that.
 */
const usualDrainSeconds = 30;

/** If a pass changes fewer rows, the next one would be no shorter. */
const fewRows = 1_000;
const mostPasses = 10;

/**
 * Moves an organization to another cell, from whatever step an earlier call has reached. First copies its rows while it
 * is in use; then leaves it alone until earlier work has ended; then stops its writes, makes the copies equal, and has
 * the other cell serve it. The cell it leaves keeps its rows, and refuses to serve them. Throws a MoveError; the
 * organization is then served where it was.
 */
export async function moveOrganization(move: Move): Promise<MoveResult> {
  const { source, target, organizationId, from, to } = move;
  for (const client of [source, target]) await lockMove(client, organizationId);
  const tables = await movedTables(source);
  const state = await readState(source, organizationId);
  if (state?.step === 'ARRIVING') {
    throw new MoveError(`The organization is being moved from ${state.other} to ${from}; that move must end first.`);
  }
  if (state && state.other !== to) {
    const remedy = state.step === 'MOVED' ? 'move it from there' : 'finish that, or end it with --abort';
    throw new MoveError(`The organization moves from ${from} to ${state.other}: ${remedy}.`);
  }
  if (state?.step === 'MOVED') {
    await serve(move);
    return { rows: null, stoppedSeconds: 0 };
  }
  await arrive(move, tables);
  if (state === null || state.step === 'COPYING') await copy(move, tables);
  if (state?.step !== 'STOPPED') await drain(move, tables);
  return stop(move, tables);
}

/** Prepares both cells: the other one gets the row of the organization, and does not serve it. */
async function arrive(move: Move, tables: readonly MovedTable[]): Promise<void> {
  const { source, target, organizationId, from, to } = move;
  const there = await readState(target, organizationId);
  if (there?.step === 'MOVED') {
    move.report?.(`deleting the rows that ${to} has from before`);
    await deleteOrganization(target, tables, organizationId);
  } else if (there && there.other !== from) {
    throw new MoveError(`The organization is being moved from ${there.other} to ${to}, or back. End that first.`);
  }
  if (there?.step !== 'ARRIVING') {
    if (await hasOrganization(target, organizationId)) {
      throw new MoveError(`The cell ${to} has an organization with this id already.`);
    }
    await ensureNoClashes(move, tables);
  }
  if ((await readState(source, organizationId)) === null) {
    await writeState(source, organizationId, { step: 'COPYING', other: to });
  }
  if (there?.step === 'ARRIVING') return;
  await target.query('begin');
  const own = tables.find(({ name }) => name === 'organizations');
  if (own) await reconcile(move, [own], organizationId, () => {});
  await writeState(target, organizationId, { step: 'ARRIVING', other: from });
  await target.query('commit');
}

async function ensureNoClashes(move: Move, tables: readonly MovedTable[]): Promise<void> {
  const clashes = await clashesOf(move, tables, move.organizationId);
  if (clashes.length === 0) return;
  const shown = clashes.slice(0, 10).join('; ');
  const more = clashes.length > 10 ? `; and ${clashes.length - 10} more` : '';
  throw new MoveError(`The cell ${move.to} already has ${shown}${more}. Change these first.`);
}

/** Copies everything while the organization is in use, until little is left. */
async function copy(move: Move, tables: readonly MovedTable[]): Promise<void> {
  for (let count = 1; count <= mostPasses; count += 1) {
    const { changed, failures } = await pass(move, tables, 'copying');
    if (changed + failures.length < fewRows) break;
  }
  await writeState(move.source, move.organizationId, { step: 'DRAINING', other: move.to });
}

/** Copies on until everything has ended that began before jobs left the organization alone. */
async function drain(move: Move, tables: readonly MovedTable[]): Promise<void> {
  const { source, organizationId, drainSeconds = usualDrainSeconds } = move;
  for (;;) {
    await pass(move, tables, 'waiting for earlier work, and copying');
    const left = drainSeconds - (await secondsInStep(source, organizationId));
    if (left <= 0 && !(await hasEarlierWork(source, organizationId))) return;
    await pause(Math.max(200, Math.min(1_000, left * 1_000)));
  }
}

/** Stops the writes, makes the copies equal, and switches. */
async function stop(move: Move, tables: readonly MovedTable[]): Promise<MoveResult> {
  const { source, organizationId, to } = move;
  const since = performance.now();
  await writeState(source, organizationId, { step: 'STOPPED', other: to });
  try {
    if (!(await waitForWrites(source, organizationId))) {
      throw new MoveError('A request has been writing for too long. Run the command again.');
    }
    const rows = await makeEqual(move, tables);
    await move.arrived?.();
    await serve(move);
    return { rows, stoppedSeconds: (performance.now() - since) / 1000 };
  } catch (error) {
    // Unless the other cell serves it, the organization goes on here.
    const state = await readState(source, organizationId);
    if (state?.step === 'STOPPED') await writeState(source, organizationId, { step: 'COPYING', other: to });
    throw error;
  }
}

/**
 * Makes all rows equal, and returns their number. A table that was equal stays so, because nothing is written any more.
 */
async function makeEqual(move: Move, tables: readonly MovedTable[]): Promise<number> {
  let rows: number | null = null;
  let left = tables;
  for (let count = 1; count <= mostPasses; count += 1) {
    const result = await pass(move, left, 'writes are stopped; comparing');
    rows ??= result.rows;
    left = result.unequal;
    if (left.length === 0) return rows;
    if (result.changed === 0 && result.failures.length > 0) {
      await ensureNoClashes(move, tables);
      throw result.failures[0];
    }
  }
  throw new MoveError(
    'The rows change although writes are stopped. Is every process of this version? Run the command again.',
  );
}

async function pass(move: Move, tables: readonly MovedTable[], doing: string): Promise<Pass> {
  return reconcile(move, tables, move.organizationId, (table, rows) =>
    move.report?.(`${doing}: ${table}, ${rows} rows`),
  );
}

/** The cell that the organization leaves refuses it first, so that never both of them serve it. */
async function serve({ source, target, organizationId, to }: Move): Promise<void> {
  await writeState(source, organizationId, { step: 'MOVED', other: to });
  if ((await readState(target, organizationId))?.step === 'ARRIVING') await deleteState(target, organizationId);
}
