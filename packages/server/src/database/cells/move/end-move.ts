import { escapeIdentifier as quote, type Client } from 'pg';
import { cellNames } from '../cell.ts';
import type { Move } from './move-organization.ts';
import { deleteOrganization, deleteState, lockMove, MoveError, readState, writeState } from './move-state.ts';
import { movedTables } from './moved-tables.ts';

/**
 * Ends a move that has not switched: the organization goes on where it is, and its copies are deleted. Throws a
 * MoveError.
 */
export async function abortMove({ source, target, organizationId, from }: Move): Promise<void> {
  for (const client of [source, target]) await lockMove(client, organizationId);
  const state = await readState(source, organizationId);
  if (!state) throw new MoveError('The organization is not being moved.');
  if (state.step === 'MOVED' || state.step === 'ARRIVING') {
    const server = state.step === 'MOVED' ? state.other : from;
    throw new MoveError(
      `The move cannot be ended in ${from}. If it is over, move the organization back, from ${server}.`,
    );
  }
  await writeState(source, organizationId, { ...state, step: 'COPYING' });
  const there = await readState(target, organizationId);
  if (there?.step === 'ARRIVING') await deleteOrganization(target, await movedTables(target), organizationId);
  await deleteState(source, organizationId);
}

/** Deletes the rows of an organization that a cell in the database of `target` serves. Throws a MoveError. */
export async function removeSource(source: Client, target: Client, organizationId: string): Promise<void> {
  await lockMove(source, organizationId);
  const state = await readState(source, organizationId);
  if (state?.step !== 'MOVED') throw new MoveError('The organization has not moved from this cell.');
  if (!(await isServed(target, organizationId))) {
    throw new MoveError(
      `No cell of the database serves the organization, so its rows are kept. It moved to ${state.other}; ` +
        'if that is in another database, set TARGET_DATABASE_URL.',
    );
  }
  await deleteOrganization(source, await movedTables(source), organizationId);
}

/** Whether a cell of the database has the organization, and no move says that it does not serve it. */
async function isServed(client: Client, organizationId: string): Promise<boolean> {
  for (const name of await cellNames(client)) {
    const schema = quote(name);
    const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
      `${schema}.organization_moves`,
    ]);
    if (rows[0]?.exists !== true) continue;
    const { rowCount } = await client.query(
      `select from ${schema}.organizations where id = $1 and id not in (
         select organization_id from ${schema}.organization_moves where step in ('MOVED', 'ARRIVING'))`,
      [organizationId],
    );
    if (rowCount === 1) return true;
  }
  return false;
}
