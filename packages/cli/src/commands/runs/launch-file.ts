import { basename, resolve } from 'node:path';
import type { Cli } from '../../cli.ts';
import { launchCsv, previewCsv } from '../../csv-launch/launch-csv.ts';
import { readMapping } from '../../csv-launch/mapping.ts';
import { readCsv } from '../../csv-launch/read-csv.ts';
import { outcomes, resultFields, type RowResult } from '../../csv-launch/row-result.ts';
import { prepareRows } from '../../csv-launch/rows.ts';
import { exitCodes, usage, type ExitCode } from '../../errors.ts';
import type { LaunchTexts } from '../../launch/launch-body.ts';
import { readTarget } from '../../launch/target.ts';
import { keyValues } from '../../options.ts';
import { printList, printTable } from '../../output/print.ts';
import { toJson } from '../../output/printable.ts';
import { readText } from '../../terminal/input.ts';
import { sayWaits } from '../../terminal/waits.ts';

/** The options of `runward runs launch` that need `--csv`. */
export interface FileOptions {
  readonly csv: string;
  readonly map?: readonly string[];
  readonly key?: string;
  readonly dryRun?: boolean;
  readonly concurrency: number;
  readonly rowsPerRequest?: number;
  readonly delimiter: string;
  readonly journal?: string;
  readonly resolve?: 'retry' | 'skip';
  readonly settle: number;
  readonly acceptChanges?: boolean;
}

/** Launches a run for each row of a CSV file. Returns the exit code. */
export async function launchFile(
  cli: Cli,
  template: string,
  constants: LaunchTexts,
  options: FileOptions,
): Promise<ExitCode> {
  const { io, info } = cli;
  const { csv, map, key } = options;
  if (csv === '-' && options.journal === undefined) throw usage('Rows from stdin need --journal FILE.');
  if (map === undefined) throw usage('Map the columns, like --map title="Onboard {name}" --map date=start.');
  const file = readCsv(await readText(io, csv, 'the rows'), csv, options.delimiter);
  const mapping = readMapping(keyValues('--map', map), file.columns, constants);

  const client = await cli.connect();
  const target = await readTarget(client, template, true);
  if (target.variables === null) {
    info('The API key cannot read templates, so variables and owners are checked only when a row is launched.');
  }
  const rows = {
    target,
    rows: prepareRows(file, mapping, target, key),
    journalPath: resolve(io.cwd, options.journal ?? `${csv}.runward.jsonl`),
    keyedBy: key === undefined ? 'content' : `column ${key}`,
    acceptChanges: options.acceptChanges === true,
  };
  if (options.dryRun) {
    await printPreview(cli, await previewCsv(rows));
    return exitCodes.ok;
  }

  using _ = cli.stopGracefully(() => {
    info('Stopping after the requests under way. Press Ctrl-C again to stop at once.');
  });
  const line = (done: number) => `Launching ${basename(csv)}: ${done} of ${rows.rows.length}`;
  const progress = cli.progress({ line, lineIntervalMs: 10_000 });
  const { results, error } = await launchCsv({
    ...rows,
    client,
    resolve: options.resolve ?? null,
    settleMs: options.settle * 1000,
    concurrency: options.concurrency,
    rowsPerRequest: options.rowsPerRequest ?? null,
    stop: io.signal,
    onResult: () => progress.advance(1),
    onWait: sayWaits(info),
    info,
  });
  progress.end();
  await printResults(cli, results);

  if (io.signal.aborted || error !== null) {
    const { length } = results.filter(({ outcome }) => outcome === 'launched' || outcome === 'already launched');
    info(`Stopped: ${length} of ${results.length} rows are launched. Run the same command again to continue.`);
  }
  if (io.signal.aborted) return exitCodes.interrupted;
  if (error !== null) throw error;
  const isComplete = results.every(({ outcome }) => outcome !== 'failed' && outcome !== 'unclear');
  return isComplete ? exitCodes.ok : exitCodes.failure;
}

async function printPreview({ output, info }: Cli, preview: Awaited<ReturnType<typeof previewCsv>>): Promise<void> {
  const fields = ['line', 'prospect', 'title', 'date', 'owner', 'variables', 'key'];
  const records = preview.map(({ row: { line, key, body }, prospect }) => ({
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
  info(`Dry run: nothing was launched. ${count} of ${records.length} rows are new.`);
}

async function printResults({ output, info }: Cli, results: readonly RowResult[]): Promise<void> {
  for (const [first, ...others] of alike(results)) {
    if (!first || !('messages' in first)) continue;
    const last = others.at(-1);
    info(`${last ? `lines ${first.line} to ${last.line}` : `line ${first.line}`} ${first.outcome}:`);
    for (const message of first.messages) info(`  ${message}`);
  }
  const counts = outcomes.map((outcome) => [outcome, results.filter((one) => one.outcome === outcome).length] as const);
  if (output.format === 'json') {
    const byName = counts.map(([outcome, count]) => [toCamelCase(outcome), count]);
    return output.write(toJson({ ...Object.fromEntries(byName), rows: results }, 2));
  }
  if (output.format !== 'table') return printList(output, results, { columns: resultFields, fields: resultFields });
  const always = new Set(['launched', 'already launched', 'failed']);
  const shown = counts.filter(([outcome, count]) => count > 0 || always.has(outcome));
  printTable(
    output,
    ['outcome', 'rows'],
    shown.map(([outcome, count]) => [outcome, String(count)]),
  );
}

/** Results that follow each other and say the same. */
function alike(results: readonly RowResult[]): RowResult[][] {
  const said = (result: RowResult | undefined) =>
    result && JSON.stringify([result.outcome, 'messages' in result ? result.messages : null]);
  const groups: RowResult[][] = [];
  for (const result of results) {
    const last = groups.at(-1);
    if (last && said(last[0]) === said(result)) last.push(result);
    else groups.push([result]);
  }
  return groups;
}

function toCamelCase(words: string): string {
  return words.replace(/ (\w)/, (_, letter: string) => letter.toUpperCase());
}
