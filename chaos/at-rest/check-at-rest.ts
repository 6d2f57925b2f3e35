import { checkChains } from '../checker/chains.ts';
import { checkCounters } from '../checker/counters.ts';
import { checkEvents } from '../checker/events.ts';
import { checkFiles } from '../checker/files.ts';
import { checkVersions } from '../checker/versions.ts';
import type { History, StoreReport, Violation } from '../history/history.ts';

/** What is known of a database that was not observed while it was filled, with its files. */
export interface AtRest extends Pick<
  History,
  'runs' | 'tasks' | 'ruleSyncs' | 'activity' | 'events' | 'files' | 'attached' | 'counters'
> {
  readonly store: Pick<StoreReport, 'rowsWithoutBytes'>;
  /** Data sources with their own counts of rows, and the numbers of rows that they have. */
  readonly rowCounts: readonly RowCount[];
  /** What is wrong with the audit log of an organization; null for nothing. */
  readonly auditLogs: readonly { readonly organizationId: string; readonly problem: string | null }[];
}

/** The rows that a data source counts, and those that it has. */
export interface RowCount {
  readonly id: string;
  readonly rowCount: number;
  readonly activeRowCount: number;
  readonly rows: number;
  readonly activeRows: number;
}

/**
 * Checks the promises that a database must keep whatever was done with it: chains of hashes, an event for every fact,
 * versions and rules that follow from the activity, exact counters, and files with their bytes. Events of facts before
 * `eventsSince`, in epoch milliseconds, are left out, because a service deletes them after 30 days.
 */
export function checkAtRest(found: AtRest, eventsSince = 0): Violation[] {
  const store = { ...found.store, orphans: [], left: [] };
  return [
    ...checkChains(found),
    ...checkEvents(eventsAfter(found, eventsSince)),
    ...checkVersions({ ...found, ruleSyncs: found.ruleSyncs.filter(({ status }) => status !== 'RUNNING') }),
    ...checkCounters(found),
    ...checkFiles({ ...found, store, uploads: [], downloads: [] }),
    ...found.rowCounts.flatMap(checkRowCount),
    ...found.auditLogs.flatMap(({ organizationId, problem }) =>
      problem === null ? [] : [{ rule: 'broken chain', detail: `the audit log of ${organizationId}: ${problem}` }],
    ),
  ];
}

/** Facts since a time and their events. The chains tell whether activity is missing. */
function eventsAfter({ activity, events }: AtRest, since: number): Pick<History, 'runs' | 'activity' | 'events'> {
  const placeOf = ({ runId, sequence }: { runId: string; sequence: number }) => `${runId}/${sequence}`;
  const old = new Set(activity.filter(({ at }) => at < since).map(placeOf));
  const isRecent = (each: { runId: string; sequence: number }) => !old.has(placeOf(each));
  return { runs: [], activity: activity.filter(isRecent), events: events.filter(isRecent) };
}

function checkRowCount({ id, rowCount, activeRowCount, rows, activeRows }: RowCount): Violation[] {
  if (rowCount === rows && activeRowCount === activeRows) return [];
  const detail = `the data source ${id} counts ${rowCount} rows, ${activeRowCount} of them active; it has ${rows}, ${activeRows} of them active`;
  return [{ rule: 'wrong row count', detail }];
}
