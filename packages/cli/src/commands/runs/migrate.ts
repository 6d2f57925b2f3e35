import type { Client } from '@runward/sdk';
import { findId, isId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import type { Cli } from '../../cli.ts';
import { exitCodes, notFound, usage, type ExitCode } from '../../errors.ts';
import { findRunIds, runArgument } from '../../lookup/run.ts';
import { migrateRuns, outcomes, resultFields, type MigrationResult } from '../../migrate/migrate-runs.ts';
import { examples, wholeNumber } from '../../options.ts';
import { printList, printTable } from '../../output/print.ts';
import { toJson } from '../../output/printable.ts';

interface MigrateOptions {
  readonly template?: string;
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly concurrency: number;
}

/** `runward runs migrate`: single runs, or all active runs of a template. */
export function migrateRunsToVersion(runs: Command, action: Action): void {
  runs
    .command('migrate')
    .argument('[run...]', `each: ${runArgument}`)
    .option('--template <id|name>', 'migrate all active runs of this template')
    .option('--to <number|id>', 'version to migrate to (default: the latest)')
    .option('--dry-run', 'print what would change')
    .option('--concurrency <number>', 'number of concurrent migrations', wholeNumber(1), 4)
    .addHelpText(
      'after',
      `\nRuns that follow the version already do not change. After a failure, a crash or Ctrl-C, run the same command again to\ncontinue; migrate to the earlier version to undo it.\n${examples(
        'runward runs migrate --template Onboarding --dry-run',
        'runward runs migrate 0195f3a0-7cc1-7d5e-8b1c-2f4e6a8c0d13 --to 3',
      )}`,
    )
    .action(action(migrate));
}

async function migrate(cli: Cli, texts: readonly string[], options: MigrateOptions): Promise<ExitCode> {
  const { template, to, dryRun = false, concurrency } = options;
  const { io, info } = cli;
  if ((template === undefined) === (texts.length === 0))
    throw usage('Name runs, or use --template for all of its runs.');
  const client = await cli.connect();
  const named = await findRunIds(client, texts);
  const templateId =
    template === undefined ? await templateOf(client, named, to) : await findId(client, 'template', template);
  const toVersionId = to === undefined ? null : await versionOf(client, templateId, to);
  const runIds = template === undefined ? named : await activeRuns(client, templateId);

  using _ = cli.stopGracefully(() => {
    info('Stopping after the migrations under way. Press Ctrl-C again to stop at once.');
  });
  const line = (done: number) => `${dryRun ? 'Checking' : 'Migrating'} runs: ${done} of ${runIds.length}`;
  const progress = cli.progress({ line, lineIntervalMs: 10_000 });
  const onResult = () => progress.advance(1);
  const { results, error } = await migrateRuns(runIds, {
    client,
    toVersionId,
    dryRun,
    concurrency,
    onResult,
    stop: io.signal,
  });
  progress.end();
  await printResults(cli, results, dryRun);

  if (io.signal.aborted || error !== null) {
    const { length } = results.filter(({ outcome }) => outcome !== 'not tried');
    info(`Stopped: ${length} of ${results.length} runs were tried. Run the same command again to continue.`);
  }
  if (io.signal.aborted) return exitCodes.interrupted;
  if (error !== null) throw error;
  return results.some(({ outcome }) => outcome === 'failed') ? exitCodes.failure : exitCodes.ok;
}

/** The template that all named runs share, whose versions `--to` numbers. Not needed if `--to` is not a number. */
async function templateOf(client: Client, runIds: readonly string[], to: string | undefined): Promise<string> {
  if (to === undefined || isId(to)) return '';
  const ids = new Set<string>();
  for (const id of runIds) ids.add((await client.runs.get(id)).templateId);
  const [templateId, ...others] = ids;
  if (templateId === undefined || others.length > 0)
    throw usage('The runs are of several templates; use --to with an ID.');
  return templateId;
}

/** The ID of a version by its ID or its number. */
async function versionOf(client: Client, templateId: string, to: string): Promise<string> {
  if (isId(to)) return to.toLowerCase();
  for await (const { id, number } of client.templates.versions.list(templateId)) if (String(number) === to) return id;
  throw notFound(`The template has no version ${to}. See: runward templates versions list ${templateId}`);
}

/** Reads all runs before migrating the first, because migrations change the lists. */
async function activeRuns({ runs }: Client, templateId: string): Promise<string[]> {
  const ids = new Set<string>();
  for (const status of ['RUNNING', 'OVERDUE'] as const) {
    for await (const { id } of runs.list({ templateId, status })) ids.add(id);
  }
  return [...ids].toSorted();
}

async function printResults(
  { output, info }: Cli,
  results: readonly MigrationResult[],
  dryRun: boolean,
): Promise<void> {
  for (const result of results) {
    if (result.outcome !== 'failed') continue;
    info(`run ${result.runId} failed:`);
    for (const message of result.messages) info(`  ${message}`);
  }
  const counts = outcomes.map((outcome) => [outcome, results.filter((one) => one.outcome === outcome).length] as const);
  if (dryRun) info('Dry run: nothing was migrated.');
  if (output.format === 'json') {
    const [migrated, unchanged, failed, notTried] = counts.map(([, count]) => count);
    return output.write(toJson({ migrated, unchanged, failed, notTried, runs: results }, 2));
  }
  if (output.format !== 'table') return printList(output, results, { columns: resultFields, fields: resultFields });
  const shown = counts.filter(([outcome, count]) => count > 0 || outcome !== 'not tried');
  printTable(
    output,
    ['outcome', 'runs'],
    shown.map(([outcome, count]) => [outcome, String(count)]),
  );
}
