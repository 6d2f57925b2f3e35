import type { Client } from '@runward/sdk';
import { rejected } from '../errors.ts';
import type { Target } from '../launch/target.ts';
import { repeatable, rowsPerRequest, toBatches, type PendingRow } from './batches.ts';
import { findLaunched, type Finding } from './find-launched.ts';
import { lastEntries, openJournal, readJournal, type Intent, type Journal, type JournalContent } from './journal.ts';
import { launchRows, type LaunchResult } from './launch-rows.ts';
import { lock } from './lock.ts';
import { launched, unclear, type RowResult } from './row-result.ts';
import type { LaunchRow } from './rows.ts';
import type { Waiting } from './when-allowed.ts';

/** The rows of a file, and the journal they are recorded in. */
export interface CsvRows {
  readonly target: Target;
  readonly rows: readonly LaunchRow[];
  readonly journalPath: string;
  /** What identifies a row: `content`, or `column NAME`. */
  readonly keyedBy: string;
  readonly acceptChanges: boolean;
}

/** A launch of the rows of a file. */
export interface CsvLaunch extends CsvRows, Pick<Waiting, 'onWait'> {
  readonly client: Client;
  /** What to do with interrupted rows of unknown outcome. Null reports them. */
  readonly resolve: 'retry' | 'skip' | null;
  readonly settleMs: number;
  /** Null: as many as suit the template. */
  readonly rowsPerRequest: number | null;
  readonly concurrency: number;
  readonly stop: AbortSignal;
  /** Called for every row that was tried. */
  readonly onResult: (result: RowResult) => void;
  readonly info: (message: string) => void;
}

/**
 * What a launch would do with a row, according to the journal. `broke off`: an earlier launch of the row was
 * interrupted.
 */
export type Prospect = 'new' | 'already launched' | 'skipped' | 'broke off';

/** What a launch would do with each row. */
export async function previewCsv(csv: CsvRows): Promise<{ row: LaunchRow; prospect: Prospect }[]> {
  const content = await readJournal(csv.journalPath);
  checkJournal(content, csv);
  const entries = lastEntries(content, csv.target.templateId);
  const prospects = { launched: 'already launched', skipped: 'skipped', intent: 'broke off', failed: 'new' } as const;
  return csv.rows.map((row) => {
    const last = entries.get(row.key)?.type;
    return { row, prospect: last === undefined ? 'new' : prospects[last] };
  });
}

/** A row whose launch has no result in the journal. */
interface Interrupted {
  readonly row: LaunchRow;
  readonly intent: Intent;
}

/** Launches the rows that the journal does not show as launched. Returns a result for every row. */
export async function launchCsv(launch: CsvLaunch): Promise<LaunchResult> {
  const { journalPath, rows, target } = launch;
  await using _lock = await lock(`${journalPath}.lock`);
  const content = await readJournal(journalPath);
  checkJournal(content, launch);
  await using journal = await openJournal(journalPath, content);

  const entries = lastEntries(content, target.templateId);
  const pending: PendingRow[] = [];
  const settled: RowResult[] = [];
  const interrupted: Interrupted[] = [];
  for (const row of rows) {
    const last = entries.get(row.key);
    if (last?.type === 'launched') settled.push(launched(row, 'already launched', last));
    else if (last?.type === 'skipped') settled.push({ line: row.line, key: row.key, outcome: 'skipped' });
    else if (last?.type === 'intent') interrupted.push({ row, intent: last });
    else pending.push({ row, since: null });
  }
  const caller = await callerId(launch.client);
  const own = content?.entries.filter((entry) => entry.template === target.templateId) ?? [];
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const repeats = repeatable(own, byKey, { caller, serverTime: target.serverTime });
  const repeated = new Set(repeats.flatMap(({ launches }) => launches.map(({ row }) => row)));
  const lost = interrupted.filter(({ row }) => !repeated.has(row));
  if (interrupted.length > 0) {
    launch.info(`An earlier launch was interrupted at ${interrupted.length} of the rows; looking for their runs.`);
  }
  if (lost.length > 0) {
    const known = new Set([...entries.values()].flatMap((entry) => (entry.type === 'launched' ? [entry.runId] : [])));
    // Compares the intents instead of the rows: the file may have changed, but the runs have the data that was sent.
    const intents = lost.map(({ intent }) => intent);
    const findings = await findLaunched(launch.client, target, intents, { known, settleMs: launch.settleMs });
    for (const { row, intent } of lost) {
      const result = await settle(row, findings.get(row.key), launch, journal);
      if (result === null) pending.push({ row, since: intent.since });
      else settled.push(result);
    }
  }
  for (const result of settled) launch.onResult(result);
  const inOrder = pending.toSorted((one, other) => one.row.line - other.row.line);
  const batches = toBatches(inOrder, launch.rowsPerRequest ?? rowsPerRequest(target.taskCount));
  const { results, error } = await launchRows([...repeats, ...batches], { ...launch, journal, caller });
  return { results: [...settled, ...results].toSorted((one, other) => one.line - other.line), error };
}

/** The ID that the server keeps idempotency keys by. */
async function callerId({ me }: Client): Promise<string> {
  const caller = await me.get();
  return caller.type === 'API_KEY' ? caller.apiKey.id : caller.user.id;
}

/** Records the outcome of an interrupted launch. Null if the row must be launched. */
async function settle(
  row: LaunchRow,
  finding: Finding | undefined,
  { resolve, target }: CsvLaunch,
  journal: Journal,
): Promise<RowResult | null> {
  const template = target.templateId;
  if (!finding || finding.kind === 'not launched') return null;
  if (finding.kind === 'launched') {
    const { id: runId, publicId, title } = finding.run;
    await journal.record({ type: 'launched', row: row.key, template, runId, publicId, title });
    return launched(row, 'already launched', { runId, publicId, title });
  }
  if (resolve === 'retry') return null;
  if (resolve === null) return unclear(row, finding.reason, finding.candidates);
  await journal.record({ type: 'skipped', row: row.key, template });
  return { line: row.line, key: row.key, outcome: 'skipped' };
}

/** Rejects a journal whose rows cannot be matched with the file. */
function checkJournal(content: JournalContent | null, csv: CsvRows): void {
  const { target, rows, journalPath, keyedBy, acceptChanges } = csv;
  const own = content?.entries.filter(({ template }) => template === target.templateId) ?? [];
  const other = own.find((entry) => entry.type === 'intent' && entry.keyedBy !== keyedBy);
  if (other?.type === 'intent') {
    const option =
      other.keyedBy === 'content' ? 'without --key' : `with --key ${other.keyedBy.replace(/^column /, '')}`;
    throw rejected(
      `Rows of this file were already launched ${option}. Launch the other rows the same way: ${journalPath} identifies rows by it.`,
    );
  }
  if (keyedBy !== 'content' || acceptChanges) return;
  const keys = new Set(rows.map(({ key }) => key));
  const gone = [...lastEntries(content, target.templateId).values()].filter(
    ({ type, row }) => type !== 'failed' && !keys.has(row),
  );
  if (gone.length === 0) return;
  throw rejected(
    `${gone.length} of the rows launched earlier are not part of this launch: the file, --map or an option has changed.`,
    'Rows are identified by their content, so changed rows would be launched again. Undo the change, or use',
    '--accept-changes to launch the rows as they are now. With --key COLUMN, the content of a row may change.',
  );
}
