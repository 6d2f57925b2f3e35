import type { Client } from 'pg';
import { isLockTimeout } from '../../errors.ts';
import type { Tables } from '../../tables.ts';
import type { MovedTable } from './moved-tables.ts';
import { deleteAllRows, endLateReferences } from './rows.ts';

/** Why an organization cannot be moved now, for the person who wants to. It is served where it was. */
export class MoveError extends Error {
  override name = 'MoveError';
}

/** What a cell knows about the move of an organization. */
export interface MoveState {
  readonly step: Tables['organization_moves']['step'];
  /** The other cell: its schema and, if it is in another database, where that is. */
  readonly other: string;
}

/** What a cell knows about the move of an organization; null if it is not moved. */
export async function readState(client: Client, organizationId: string): Promise<MoveState | null> {
  const { rows } = await client.query<MoveState>(
    'select step, other_schema as other from organization_moves where organization_id = $1',
    [organizationId],
  );
  return rows[0] ?? null;
}

/** Records the step of a move, or its beginning. */
export async function writeState(client: Client, organizationId: string, { step, other }: MoveState): Promise<void> {
  await client.query(
    `insert into organization_moves (organization_id, other_schema, step, step_at) values ($1, $2, $3, now())
     on conflict (organization_id) do update
       set other_schema = excluded.other_schema, step = excluded.step, step_at = excluded.step_at`,
    [organizationId, other, step],
  );
}

/** Ends the record of a move, so that the cell serves the organization. */
export async function deleteState(client: Client, organizationId: string): Promise<void> {
  await client.query('delete from organization_moves where organization_id = $1', [organizationId]);
}

/** Whether a cell has the row of an organization. */
export async function hasOrganization(client: Client, organizationId: string): Promise<boolean> {
  return (await client.query('select from organizations where id = $1', [organizationId])).rowCount === 1;
}

/**
 * Deletes all rows of an organization in batches, and at last those that say that the cell does not serve it. Can be
 * interrupted and begun again.
 */
export async function deleteOrganization(
  client: Client,
  tables: readonly MovedTable[],
  organizationId: string,
): Promise<void> {
  for (const table of tables) await endLateReferences(client, table, organizationId);
  for (const table of tables.toReversed()) {
    if (table.name !== 'organizations') await deleteAllRows(client, table, organizationId);
  }
  await client.query('begin');
  await deleteState(client, organizationId);
  await client.query('delete from organizations where id = $1', [organizationId]);
  await client.query('commit');
}

/**
 * Lets one process at a time move an organization of the cell, until the connection ends. Waits for a process that was
 * killed, which PostgreSQL may notice late. Throws a MoveError.
 */
export async function lockMove(client: Client, organizationId: string): Promise<void> {
  await client.query("set lock_timeout = '10s'");
  try {
    await client.query(
      `select pg_advisory_lock(hashtextextended('runward organization move ' || current_schema() || $1::text, 0))`,
      [organizationId],
    );
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new MoveError('Another process is moving the organization; wait until it ends.');
  } finally {
    await client.query('reset lock_timeout');
  }
}
