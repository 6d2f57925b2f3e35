import type { Command } from 'commander';
import { cellNames, readCell, type Cell } from '../database/cells/cell.ts';
import { createCellSchema, moveCell, nodeOf, nodes, whyNotMovable } from '../database/cells/citus.ts';
import { migrate } from '../database/migrate.ts';
import { inSchema, schemaPattern, schemaRule } from '../settings/database-schema.ts';
import { numberOf } from '../words.ts';
import { commandError, usageError } from './command-error.ts';
import { action, type CommandContext } from './context.ts';
import type { Io } from './io.ts';
import { table } from './text.ts';

/** `cells list`, `cells create` and `cells move`. */
export function addCellCommands(program: Command, io: Io): void {
  const noun = program.command('cells').description('List, create and move cells: schemas with an installation each');
  noun.command('list').description('List the cells of the database, and where they are').action(action(io, list));
  noun
    .command('create')
    .description('Create a cell; processes with DATABASE_SCHEMA=NAME then serve it')
    .argument('<name>', 'the name of the schema')
    .action(action(io, create));
  noun
    .command('move')
    .description('Move a cell to another machine of a Citus cluster, while it is in use')
    .argument('<name>', 'the name of the schema')
    .requiredOption('--to <host:port>', 'the machine, as it was given to citus_add_node')
    .action(action(io, move));
}

async function list(context: CommandContext): Promise<void> {
  const cells = await context.withClient(async (client) => {
    const found: Cell[] = [];
    for (const name of await cellNames(client)) found.push(await readCell(client, name));
    return found;
  });
  const rows = cells.map(({ name, node, organizations, bytes, pending, problem }) => [
    name,
    node ?? 'this database',
    numberOf(organizations, 'organization'),
    `${Math.ceil(bytes / 2 ** 20)} MB`,
    problem ?? (pending === 0 ? 'up to date' : `lacks ${numberOf(pending, 'migration')}`),
  ]);
  context.print(cells, rows.length === 0 ? 'There is no cell. Create one with "cells create".' : table(rows));
}

async function create(context: CommandContext, name: string): Promise<void> {
  if (!schemaPattern.test(name)) {
    throw usageError(`name: must be ${schemaRule}`);
  }
  const node = await context.withClient(async (client, url) => {
    if ((await cellNames(client)).includes(name)) {
      throw commandError(
        `The cell ${name} exists. To apply migrations to it, set DATABASE_SCHEMA=${name} and run migrate --up.`,
      );
    }
    await createCellSchema(client, name);
    await migrate(inSchema(url, name));
    return nodeOf(client, name);
  });
  context.print(
    { name, node },
    `The cell ${name} was created${node === null ? '' : ` on ${node}`}. Start processes with DATABASE_SCHEMA=${name} to serve it.`,
  );
}

async function move(context: CommandContext, name: string, { to }: { to: string }): Promise<void> {
  const from = await context.withClient(async (client) => {
    const problem = await whyNotMovable(client);
    if (problem !== null) throw commandError(`The cell ${name} cannot be moved, because ${problem}.`);
    if (!(await cellNames(client)).includes(name)) throw commandError(`There is no cell ${name}. See "cells list".`);
    const source = await nodeOf(client, name);
    if (source === null) {
      throw commandError(
        `The cell ${name} is in the database of the coordinator. Only cells that "cells create" made on the cluster can be moved.`,
      );
    }
    const known = await nodes(client);
    if (!known.includes(to))
      throw commandError(`--to: ${to} is no machine of the cluster. It has ${known.join(', ')}.`);
    if (source === to) throw commandError(`The cell ${name} is on ${to} already.`);
    await moveCell(client, name, to).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw commandError(
        `The cell ${name} is still on ${source}, and nothing was lost: ${reason}. Run the command again.`,
      );
    });
    return source;
  });
  context.print({ name, from, to }, `The cell ${name} moved from ${from} to ${to}.`);
}
