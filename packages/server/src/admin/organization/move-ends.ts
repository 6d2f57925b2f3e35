import type { Client } from 'pg';
import { cellNames } from '../../database/cells/cell.ts';
import type { Move } from '../../database/cells/move/move-organization.ts';
import { hasOrganization, MoveError } from '../../database/cells/move/move-state.ts';
import { withClient } from '../../database/connection/with-client.ts';
import { withSetting } from '../../settings/database-schema.ts';
import { CommandError, commandError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import { ensureNoPooler } from '../database.ts';

/** The schema of a cell, and the URL of its database. */
export interface Place {
  readonly url: string;
  readonly schema: string;
}

/** Settings that change how rows are written as text. Both cells must write them alike. */
const textOfRows = `select set_config('intervalstyle', 'postgres', false), set_config('bytea_output', 'hex', false),
  set_config('extra_float_digits', '1', false)`;

/** Runs `work` on a connection to the cell that the service serves, which has the organization. */
export function inSource<Result>(
  context: CommandContext,
  id: string,
  work: (source: Client, here: Place) => Promise<Result>,
): Promise<Result> {
  return context.withClient(async (source, url) => {
    try {
      const { rows } = await source.query<{ schema: string }>('select current_schema() as schema');
      const here = rows[0]?.schema ?? '';
      if (!(await cellNames(source)).includes(here))
        throw commandError(`The schema ${here} is no cell. See "cells list".`);
      if (!(await hasOrganization(source, id))) {
        throw commandError(`The cell ${here} has no organization ${id}; see "organization list".`);
      }
      return await work(source, { url, schema: here });
    } catch (error) {
      if (error instanceof CommandError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw commandError(
        error instanceof MoveError ? reason : `Interrupted: ${reason}. Run the command again to go on.`,
      );
    }
  });
}

/** Runs `work` on a connection to the database of the other cell: TARGET_DATABASE_URL, or that of the first one. */
export async function inTarget<Result>(
  { targetDatabaseUrl }: CommandContext,
  here: Place,
  schema: string,
  work: (target: Client, there: Place) => Promise<Result>,
): Promise<Result> {
  if (targetDatabaseUrl !== undefined) await ensureReachable(targetDatabaseUrl);
  // The cell is found by its schema, whatever the connections of this URL would find without it.
  const url = withSetting(targetDatabaseUrl ?? here.url, `search_path=${schema}`);
  return withClient(url, (target) => work(target, { url, schema }));
}

async function ensureReachable(url: string): Promise<void> {
  try {
    await ensureNoPooler(url, 'TARGET_DATABASE_URL');
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw commandError(`TARGET_DATABASE_URL: cannot connect: ${reason}`);
  }
}

/** The move between two connected cells. */
export async function moveBetween(
  context: CommandContext,
  id: string,
  ends: { readonly source: Client; readonly here: Place; readonly target: Client; readonly there: Place },
): Promise<Move> {
  const { source, here, target, there } = ends;
  for (const client of [source, target]) await client.query(textOfRows);
  return { source, target, organizationId: id, from: nameOf(context, here), to: nameOf(context, there) };
}

/** By what name the other cell knows a cell: by its schema, and by its database if that is another one. */
function nameOf({ targetDatabaseUrl }: CommandContext, { url, schema }: Place): string {
  if (targetDatabaseUrl === undefined) return schema;
  const { hostname, port, pathname, searchParams } = new URL(url);
  return `${schema} in ${searchParams.get('host') ?? hostname}:${port || '5432'}${pathname}`;
}

/** The schema in such a name. */
export function schemaIn(name: string): string {
  return name.split(' ')[0] ?? name;
}
