import { Option, type Command } from 'commander';
import { migrate, migrationNames, pendingMigrations } from '../database/migrate.ts';
import { isCompatible } from '../database/schema-problem.ts';
import { action, type CommandContext } from './context.ts';
import type { Io } from './io.ts';
import { table } from './text.ts';

/** `migrate`. */
export function addMigrateCommand(program: Command, io: Io): void {
  program
    .command('migrate')
    .description('Show the migrations that the database lacks, or apply them')
    .option('--plan', 'only show them; the default')
    .addOption(new Option('--up', 'apply all of them in one transaction').conflicts('plan'))
    .action(action(io, (context, { up = false }: { up?: boolean }) => (up ? apply(context) : show(context))));
}

async function show(context: CommandContext): Promise<void> {
  const names = await context.withUrl(pendingMigrations);
  const applied = migrationNames.filter((name) => !names.includes(name));
  const pending = names.map((name) => ({ name, compatible: isCompatible(name, applied) }));
  context.print({ pending }, textOf(pending));
}

function textOf(pending: readonly { readonly name: string; readonly compatible: boolean }[]): string {
  const remedy = 'run "runward-admin migrate --up".';
  if (pending.length === 0) return 'The database has all migrations.';
  if (pending.length === migrationNames.length) return `The database is empty. To create its tables, ${remedy}`;
  const rows = pending.map(({ name, compatible }) => [
    name,
    compatible ? 'processes of the version before may go on' : 'stop all processes of the version before',
  ]);
  return `${table(rows)}\n${pending.length} to apply. Back up, then ${remedy}`;
}

async function apply(context: CommandContext): Promise<void> {
  const applied = await context.withUrl(migrate);
  const text =
    applied.length === 0 ? 'The database had all migrations.' : `${applied.join('\n')}\n${applied.length} applied.`;
  context.print({ applied }, text);
}
