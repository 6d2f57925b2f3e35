import { basename } from 'node:path';
import type { Cli } from '../../cli.ts';
import { foresee, launchCsv } from '../../csv-launch/launch-csv.ts';
import { readMapping } from '../../csv-launch/mapping.ts';
import { outcomeFields, outcomes, type Outcome } from '../../csv-launch/outcome.ts';
import { readCsv } from '../../csv-launch/read-csv.ts';
import { prepareRows } from '../../csv-launch/rows.ts';
import { exitCodes, usage } from '../../errors.ts';
import type { LaunchTexts } from '../../launch/launch-body.ts';
import { readTarget } from '../../launch/target.ts';
import { keyValues } from '../../options.ts';
import { printList, write, type Output } from '../../output/print.ts';
import { toJson } from '../../output/printable.ts';
import { table } from '../../output/table.ts';
import { readText } from '../../terminal/input.ts';
import { stopGently } from '../../terminal/interrupt.ts';
import { note } from '../../terminal/notes.ts';
import { startProgress } from '../../terminal/progress.ts';

/** The options of `runward runs launch` that go with `--csv`. */
export interface FileOptions {
  readonly csv: string;
  readonly map?: readonly string[];
  readonly key?: string;
  readonly dryRun?: boolean;
  readonly concurrency: number;
  readonly delimiter: string;
  readonly journal?: string;
  readonly resolve?: 'retry' | 'skip';
  readonly settle: number;
  readonly acceptChanges?: boolean;
}

/** Launches a run for each row of a CSV file; answers the exit code. */
export async function launchFile(
  cli: Cli,
  template: string,
  constants: LaunchTexts,
  options: FileOptions,
): Promise<number> {
  const { csv, map, key } = options;
  if (csv === '-' && options.journal === undefined) throw usage('Rows from the standard input need a --journal FILE.');
  if (map === undefined) throw usage('Say what the columns mean, like --map title="Onboard {name}" --map date=start.');
  const file = readCsv(await readText(csv, 'the rows'), csv, options.delimiter);
  const mapping = readMapping(keyValues('--map', map), file.columns, constants);

  const client = await cli.connect();
  const target = await readTarget(client, template, true);
  if (target.variables === null)
    note('The key may not read templates: variables and owners are checked at launch only.');
  const launch = {
    client,
    target,
    rows: prepareRows(file, mapping, target, key),
    journalPath: options.journal ?? `${csv}.runward.jsonl`,
    keyedBy: key === undefined ? 'content' : `column ${key}`,
    acceptChanges: options.acceptChanges === true,
  };
  if (options.dryRun) {
    await printProspects(cli.output, await foresee(launch));
    return exitCodes.ok;
  }

  const stop = new AbortController();
  using _ = stopGently(() => {
    note('Stopping when the launches under way are done; press Ctrl-C again to break off.');
    stop.abort();
  });
  const progress = startProgress(`Launching ${basename(csv)}`, launch.rows.length, cli.output);
  const { outcomes: ended, error } = await launchCsv({
    ...launch,
    resolve: options.resolve ?? null,
    settleMs: options.settle * 1000,
    concurrency: options.concurrency,
    stop: stop.signal,
    onOutcome: () => progress.advance(),
  });
  progress.end();
  await printOutcomes(cli.output, ended);

  if (stop.signal.aborted) return exitCodes.interrupted;
  if (error !== null) {
    note('Launching ended early; run the same command again to go on.');
    throw error;
  }
  return ended.some(({ outcome }) => outcome === 'failed' || outcome === 'unclear') ? exitCodes.failure : exitCodes.ok;
}

async function printProspects(output: Output, prospects: Awaited<ReturnType<typeof foresee>>): Promise<void> {
  const fields = ['line', 'prospect', 'title', 'date', 'owner', 'variables', 'key'];
  const records = prospects.map(({ row: { line, key, body }, prospect }) => ({
    line,
    prospect,
    title: body.title ?? null,
    date: body.scheduledDateLocal ?? null,
    owner: body.ownerEmail ?? null,
    variables: body.variables ?? null,
    key,
  }));
  await printList(output, records, { columns: fields.slice(0, -1), fields });
  const count = records.filter(({ prospect }) => prospect === 'new').length;
  note(`A dry run: nothing was launched. ${count} of ${records.length} rows are new.`);
}

async function printOutcomes(output: Output, ended: readonly Outcome[]): Promise<void> {
  const counts = outcomes.map((outcome) => [outcome, ended.filter((one) => one.outcome === outcome).length] as const);
  const shown = counts.filter(
    ([outcome, count]) => count > 0 || ['launched', 'already launched', 'failed'].includes(outcome),
  );
  for (const outcome of ended) {
    if (!('messages' in outcome)) continue;
    note(`line ${outcome.line} ${outcome.outcome}:`);
    for (const message of outcome.messages) note(`  ${message}`);
  }
  if (output.format === 'json') {
    const named = counts.map(([outcome, count]) => [
      outcome.replace(/ (\w)/, (_, letter: string) => letter.toUpperCase()),
      count,
    ]);
    return write(toJson({ ...Object.fromEntries(named), rows: ended }, 2));
  }
  if (output.format !== 'table') return printList(output, ended, { columns: outcomeFields, fields: outcomeFields });
  write(
    table(
      ['outcome', 'rows'],
      shown.map(([outcome, count]) => [outcome, String(count)]),
    ),
  );
}
