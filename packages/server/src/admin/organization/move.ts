import { formats } from '@runward/contract';
import { Option, type Command } from 'commander';
import type { Client } from 'pg';
import { administration, recordChange } from '../audit-log/record-change.ts';
import { cellNames, readCell } from '../database/cells/cell.ts';
import { abortMove, removeSource } from '../database/cells/move/end-move.ts';
import { moveOrganization, type Move } from '../database/cells/move/move-organization.ts';
import { hasOrganization, MoveError, readState } from '../database/cells/move/move-state.ts';
import { withClient } from '../database/connection/with-client.ts';
import { openDatabase } from '../database/database.ts';
import { inTransaction } from '../database/transaction.ts';
import { organizationTarget } from '../organization/audited.ts';
import { Organization } from '../organization/entities/organization.ts';
import { withSetting } from '../settings/database-schema.ts';
import { CommandError, commandError, usageError } from './command-error.ts';
import { action, type CommandContext } from './context.ts';
import type { Io } from './io.ts';
import { progressLine } from './progress-line.ts';

interface MoveOptions {
  readonly toSchema?: string;
  readonly abort?: boolean;
  readonly removeSource?: boolean;
}

/** `organization move`. */
export function addMoveCommand(noun: Command, io: Io): void {
  noun
    .command('move')
    .description('Move an organization to another cell while it is in use; run it again to go on after an interruption')
    .argument('<id>', 'the id of the organization')
    .addOption(new Option('--to-schema <cell>', 'the schema of the cell').conflicts(['abort', 'removeSource']))
    .addOption(new Option('--abort', 'end a move before its switch, and delete the copies').conflicts('removeSource'))
    .option('--remove-source', 'delete the rows that the organization left in this cell')
    .action(
      action(io, (context, id: string, options: MoveOptions) => {
        if (!formats.isId(id)) throw usageError('id: must be the id of an organization; see "organization list"');
        if (options.toSchema !== undefined) return move(context, io, id, options.toSchema);
        if (options.abort === true) return abort(context, id);
        if (options.removeSource === true) return remove(context, id);
        throw usageError('Name what to do: --to-schema CELL, --abort or --remove-source.');
      }),
    );
}

async function move(context: CommandContext, io: Io, id: string, to: string): Promise<void> {
  const line = progressLine(io);
  const { result, from } = await connected(context, id, async (source, url, here) => {
    await ensureMovable(source, here, to);
    return between({ source, url, here, id, to }, async (cells) => {
      try {
        const arrived = () => recordMove(cells, url);
        return { from: here, result: await moveOrganization({ ...cells, arrived, report: (text) => line.show(text) }) };
      } finally {
        line.clear();
      }
    });
  });
  const { rows, stoppedSeconds } = result;
  const what =
    rows === null
      ? `The organization had moved from ${from} to ${to}.`
      : `The organization moved from ${from} to ${to}: ${rows} rows, and ${stoppedSeconds.toFixed(1)} s without writes.`;
  context.print(
    { organizationId: id, from, to, rows, stoppedSeconds },
    `${what} Send its requests there, then delete what it left with --remove-source.`,
  );
}

async function abort(context: CommandContext, id: string): Promise<void> {
  const from = await connected(context, id, async (source, url, here) => {
    const state = await readState(source, id);
    if (!state) throw new MoveError('The organization is not being moved.');
    return between({ source, url, here, id, to: state.other }, async (cells) => {
      await abortMove(cells);
      return here;
    });
  });
  context.print({ organizationId: id, schema: from }, `The move was ended. The organization stays in ${from}.`);
}

async function remove(context: CommandContext, id: string): Promise<void> {
  const from = await connected(context, id, async (source, _url, here) => {
    await removeSource(source, id);
    return here;
  });
  context.print({ organizationId: id, schema: from }, `The rows that the organization left in ${from} were deleted.`);
}

/** Adds the move to the audit log, in the cell that is about to serve the organization. */
async function recordMove({ organizationId, from, to }: Move, url: string): Promise<void> {
  const database = await openDatabase(inCell(url, to), { poolSize: 1 });
  try {
    await inTransaction(database, async (em) => {
      const organization = await em.findOneOrFail(Organization, { id: organizationId });
      await recordChange(administration(em, organizationId), {
        action: 'organization.moved',
        target: organizationTarget(organization),
        before: { schema: from },
        after: { schema: to },
      });
    });
  } finally {
    await database.close();
  }
}

/** Throws a command error if the other cell cannot take an organization of this one. */
async function ensureMovable(client: Client, here: string, to: string): Promise<void> {
  const names = await cellNames(client);
  if (!names.includes(to)) throw commandError(`--to-schema: there is no cell ${to}. See "cells list".`);
  if (to === here) throw commandError(`--to-schema: the organization is in ${to} already.`);
  for (const name of [here, to]) {
    const { pending, problem } = await readCell(client, name);
    if (problem !== null) throw new CommandError(78, [`The cell ${name} cannot be used, because ${problem}.`]);
    if (pending > 0) {
      throw commandError(
        `The cell ${name} lacks ${pending} migrations: run migrate --up with DATABASE_SCHEMA=${name}.`,
      );
    }
  }
}

/** Runs `work` on a connection to this cell, which has the organization. */
function connected<Result>(
  context: CommandContext,
  id: string,
  work: (source: Client, url: string, here: string) => Promise<Result>,
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
      return await work(source, url, here);
    } catch (error) {
      if (error instanceof CommandError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw commandError(
        error instanceof MoveError ? reason : `Interrupted: ${reason}. Run the command again to go on.`,
      );
    }
  });
}

/** Runs `work` with a second connection, to the other cell. */
function between<Result>(
  { source, url, here, id, to }: { source: Client; url: string; here: string; id: string; to: string },
  work: (move: Move) => Promise<Result>,
): Promise<Result> {
  return withClient(inCell(url, to), (target) => work({ source, target, organizationId: id, from: here, to }));
}

/** The URL of a database whose connections find the tables of a cell, whatever schema they found before. */
function inCell(url: string, name: string): string {
  return withSetting(url, `search_path=${name}`);
}
