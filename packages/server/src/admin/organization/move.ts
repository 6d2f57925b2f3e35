import { formats } from '@runward/contract';
import { Option, type Command } from 'commander';
import { administration, recordChange } from '../../audit-log/record-change.ts';
import { cellNames, readCell } from '../../database/cells/cell.ts';
import { abortMove, removeSource } from '../../database/cells/move/end-move.ts';
import { moveOrganization, type Move } from '../../database/cells/move/move-organization.ts';
import { MoveError, readState } from '../../database/cells/move/move-state.ts';
import { openDatabase } from '../../database/database.ts';
import { inTransaction } from '../../database/transaction.ts';
import { organizationTarget } from '../../organization/audited.ts';
import { Organization } from '../../organization/entities/organization.ts';
import { numberOf } from '../../words.ts';
import { CommandError, commandError, usageError } from '../command-error.ts';
import { action, type CommandContext } from '../context.ts';
import type { Io } from '../io.ts';
import { progressLine } from '../progress-line.ts';
import { inSource, inTarget, moveBetween, schemaIn, type Place } from './move-ends.ts';

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
    .addOption(
      new Option('--to-schema <cell>', 'the schema of the cell, in TARGET_DATABASE_URL if that is set').conflicts([
        'abort',
        'removeSource',
      ]),
    )
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

async function move(context: CommandContext, io: Io, id: string, schema: string): Promise<void> {
  const line = progressLine(io);
  const { from, to, rows, stoppedSeconds } = await inSource(context, id, (source, here) =>
    inTarget(context, here, schema, async (target, there) => {
      const planned = await moveBetween(context, id, { source, here, target, there });
      await ensureMovable(planned, here, there);
      try {
        const arrived = () => recordMove(id, here, there);
        const result = await moveOrganization({ ...planned, arrived, report: (text) => line.show(text) });
        return { ...result, from: planned.from, to: planned.to };
      } finally {
        line.clear();
      }
    }),
  );
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
  const { schema } = await inSource(context, id, async (source, here) => {
    const state = await readState(source, id);
    if (!state) throw new MoveError('The organization is not being moved.');
    await inTarget(context, here, schemaIn(state.other), async (target, there) => {
      const planned = await moveBetween(context, id, { source, here, target, there });
      if (planned.to !== state.other) {
        throw commandError(`The organization moves to ${state.other}: set TARGET_DATABASE_URL as when the move began.`);
      }
      await abortMove(planned);
    });
    return here;
  });
  context.print({ organizationId: id, schema }, `The move was ended. The organization stays in ${schema}.`);
}

async function remove(context: CommandContext, id: string): Promise<void> {
  const { schema } = await inSource(context, id, async (source, here) => {
    const other = (await readState(source, id))?.other;
    if (other === undefined) throw new MoveError('The organization has not moved from this cell.');
    await inTarget(context, here, schemaIn(other), (target) => removeSource(source, target, id));
    return here;
  });
  context.print({ organizationId: id, schema }, `The rows that the organization left in ${schema} were deleted.`);
}

/** Adds the move to the audit log, in the cell that is about to serve the organization. */
async function recordMove(organizationId: string, here: Place, there: Place): Promise<void> {
  const database = await openDatabase(there.url, { poolSize: 1 });
  try {
    await inTransaction(database, async (em) => {
      const organization = await em.findOneOrFail(Organization, { id: organizationId });
      await recordChange(administration(em, organizationId), {
        action: 'organization.moved',
        target: organizationTarget(organization),
        before: { schema: here.schema },
        after: { schema: there.schema },
      });
    });
  } finally {
    await database.close();
  }
}

/** Throws a command error if the other cell cannot take an organization of this one. */
async function ensureMovable({ source, target, from, to }: Move, here: Place, there: Place): Promise<void> {
  if (!(await cellNames(target)).includes(there.schema))
    throw commandError(`--to-schema: there is no cell ${to}. See "cells list".`);
  if (to === from) throw commandError(`--to-schema: the organization is in ${to} already.`);
  const ends = [
    { client: source, name: from, ...here },
    { client: target, name: to, ...there },
  ];
  for (const { client, name, schema } of ends) {
    const { pending, problem } = await readCell(client, schema);
    if (problem !== null) throw new CommandError(78, [`The cell ${name} cannot be used, because ${problem}.`]);
    if (pending > 0) {
      throw commandError(
        `The cell ${name} lacks ${numberOf(pending, 'migration')}: run migrate --up with DATABASE_SCHEMA=${schema}.`,
      );
    }
  }
}
