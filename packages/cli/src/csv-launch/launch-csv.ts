import type { Client } from '@runward/sdk';
import { refused } from '../errors.ts';
import type { Target } from '../launch/target.ts';
import { note } from '../terminal/notes.ts';
import { findLaunched, type Finding } from './find-launched.ts';
import { lastEntries, openJournal, readJournal, type Intent, type Journal, type JournalContent } from './journal.ts';
import { launchRows, type Work } from './launch-rows.ts';
import { lock } from './lock.ts';
import { launched, unclear, type Outcome } from './outcome.ts';
import type { LaunchRow } from './rows.ts';

/** How the rows of a file are launched. */
export interface CsvLaunch {
  readonly client: Client;
  readonly target: Target;
  readonly rows: readonly LaunchRow[];
  readonly journalPath: string;
  /** `content`, or `column NAME`. */
  readonly keyedBy: string;
  readonly acceptChanges: boolean;
  /** What to do with rows of which nobody knows whether their run exists; null refuses them. */
  readonly resolve: 'retry' | 'skip' | null;
  readonly settleMs: number;
  readonly concurrency: number;
  readonly stop: AbortSignal;
  readonly onOutcome: (outcome: Outcome) => void;
}

/** What a launch would do with a row, as far as the journal tells. */
export type Prospect = 'new' | 'already launched' | 'skipped' | 'broke off';

/** What a launch would do with each row. */
export async function foresee(
  launch: Pick<CsvLaunch, 'target' | 'rows' | 'journalPath' | 'keyedBy' | 'acceptChanges'>,
) {
  const content = await readJournal(launch.journalPath);
  checkJournal(content, launch);
  const entries = lastEntries(content, launch.target.templateId);
  return launch.rows.map((row): { row: LaunchRow; prospect: Prospect } => {
    const last = entries.get(row.key)?.type;
    const known = { launched: 'already launched', skipped: 'skipped', intent: 'broke off', failed: 'new' } as const;
    return { row, prospect: last === undefined ? 'new' : known[last] };
  });
}

/** Launches what is not launched yet. Answers an outcome for every row, and the error that ended it early. */
export async function launchCsv(launch: CsvLaunch): Promise<{ outcomes: Outcome[]; error: unknown }> {
  const { journalPath, rows, target } = launch;
  await using _lock = await lock(`${journalPath}.lock`);
  const content = await readJournal(journalPath);
  checkJournal(content, launch);
  await using journal = await openJournal(journalPath, content);

  const entries = lastEntries(content, target.templateId);
  const work: Work[] = [];
  const settled: Outcome[] = [];
  const broken: { row: LaunchRow; intent: Intent }[] = [];
  for (const row of rows) {
    const last = entries.get(row.key);
    if (last?.type === 'launched') settled.push(launched(row, 'already launched', last));
    else if (last?.type === 'skipped') settled.push({ line: row.line, key: row.key, outcome: 'skipped' });
    else if (last?.type === 'intent') broken.push({ row, intent: last });
    else work.push({ row, since: null });
  }
  if (broken.length > 0) {
    note(`An earlier launch broke off at ${broken.length} of the rows; looking for their runs.`);
    const known = new Set([...entries.values()].flatMap((entry) => (entry.type === 'launched' ? [entry.runId] : [])));
    const intents = broken.map(({ intent }) => intent);
    const findings = await findLaunched(launch.client, target, intents, { known, settleMs: launch.settleMs });
    for (const { row, intent } of broken) {
      const outcome = await settle(row, findings.get(row.key), launch, journal);
      // What the intent said, not what the row says now: that is what may be there.
      if (outcome === null) work.push({ row, since: intent.since });
      else settled.push(outcome);
    }
  }
  for (const outcome of settled) launch.onOutcome(outcome);
  const { outcomes, error } = await launchRows(
    work.toSorted((one, other) => one.row.line - other.row.line),
    { ...launch, journal },
  );
  return { outcomes: [...settled, ...outcomes].toSorted((one, other) => one.line - other.line), error };
}

/** Writes down what became of a launch that broke off; null when the row shall be launched. */
async function settle(
  row: LaunchRow,
  finding: Finding | undefined,
  { resolve, target }: CsvLaunch,
  journal: Journal,
): Promise<Outcome | null> {
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

/** Refuses a journal in which the rows of the file cannot be told any more. */
function checkJournal(
  content: JournalContent | null,
  {
    target,
    rows,
    journalPath,
    keyedBy,
    acceptChanges,
  }: Pick<CsvLaunch, 'target' | 'rows' | 'journalPath' | 'keyedBy' | 'acceptChanges'>,
): void {
  const own = content?.entries.filter(({ template }) => template === target.templateId) ?? [];
  const other = own.find((entry) => entry.type === 'intent' && entry.keyedBy !== keyedBy);
  if (other?.type === 'intent') {
    const option =
      other.keyedBy === 'content' ? 'without --key' : `with --key ${other.keyedBy.replace(/^column /, '')}`;
    throw refused(
      `Rows of this file were launched ${option} before. Launch the rest the same way: ${journalPath} tells rows by it.`,
    );
  }
  if (keyedBy !== 'content' || acceptChanges) return;
  const keys = new Set(rows.map(({ key }) => key));
  const gone = [...lastEntries(content, target.templateId).values()].filter(
    ({ type, row }) => type !== 'failed' && !keys.has(row),
  );
  if (gone.length === 0) return;
  throw refused(
    `${gone.length} of the rows launched before are not in this launch any more: the file, --map or a fixed value was changed.`,
    'Rows are told by their content, so the changed ones would be launched again. Undo the change;',
    'or, if the other rows are meant to be launched, give --accept-changes. With --key COLUMN rows may change.',
  );
}
