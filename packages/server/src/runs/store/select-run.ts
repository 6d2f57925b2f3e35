import { expectsOne } from '../../database/statement.ts';
import { selectSubscribers, type Subscriber } from '../../webhooks/queries/select-subscribers.ts';
import { selectReferents, type SelectedReferents } from './references.ts';
import { runTable, stateTables, type RunRow, type StateRows } from './rows.ts';
import { columnsOf, type Table } from './table.ts';

/** The template of a run. */
export interface RunTemplate {
  readonly id: string;
  readonly folderId: string | null;
  readonly publishedVersionId: string | null;
  readonly isDeleted: boolean;
}

/**
 * The selected parts of a run. A list is null if it is empty or the run is known, and missing if it is not selected.
 */
export type SelectedRun = { readonly [Name in keyof StateRows]?: StateRows[Name] | null } & {
  readonly organizationId: string;
  readonly runId: string;
  /** Null if the run is known. */
  readonly run: RunRow | null;
  readonly timeZone: string;
  readonly remindBefore: string;
  readonly template: RunTemplate;
  readonly subscribers?: readonly Subscriber[] | null;
  readonly referents?: SelectedReferents;
};

/** The SQL that a selection takes as input. */
interface Given {
  readonly organizationId: string;
  /** The hash of the known run, or null. */
  readonly knownHash: string;
}

const asParameters: Given = { organizationId: '$1', knownHash: '$3' };

/** The parts that can be selected besides the run, its time zone and its template. Referents use `$4` to `$6`. */
type Part = keyof StateRows | 'subscribers' | 'referents';

/** The parts of a run that its overview needs. */
export const overview: readonly Part[] = ['tasks'];

/** The parts of a run that changing it needs. */
export const whole: readonly Part[] = ['tasks', 'entries', 'values', 'completionKeys', 'subscribers'];

/** SQL that is null instead of a value if the known run has the hash of the run, because the value is then known. */
const unlessKnown = (value: string) => `case when run."activityHash" is distinct from known.hash then ${value} end`;

/** SQL for the rows of a table that belong to a run, as a JSON array. */
function rowsOf<Row>(table: Table<Row>, order: string, ofRun = 'part.run_id = run.id'): string {
  return unlessKnown(`(
    select json_agg(part ${order}) from (
      select ${columnsOf(table, 'part')} from ${table.name} part
      where part.organization_id = run."organizationId" and ${ofRun}) part)`);
}

const expressions: { readonly [Name in Part]: () => string } = {
  tasks: () => rowsOf(stateTables.tasks, 'order by part.position'),
  entries: () =>
    rowsOf(
      stateTables.entries,
      'order by part."createdAt", part.id',
      'part.run_id = run.id and part.discarded_at is null',
    ),
  values: () => rowsOf(stateTables.values, 'order by part."submittedAt", part.id'),
  completionKeys: () =>
    rowsOf(
      stateTables.completionKeys,
      '',
      'part.entry_id in (select id from entries where organization_id = run."organizationId" and run_id = run.id)',
    ),
  subscribers: () => selectSubscribers('run."organizationId"', 'run."templateId"'),
  referents: () => selectReferents({ userIds: '$4', groupIds: '$5', rowIds: '$6' }),
};

/** SQL for runs whose id meets a condition, as rows of `SelectedRun`. */
export function selectRuns(condition: string, parts: readonly Part[], given = asParameters): string {
  return `
  select run."organizationId", run.id as "runId", ${unlessKnown('to_json(run)')} as run, organization.time_zone as "timeZone",
    organization.remind_before as "remindBefore",
    json_build_object('id', template.id, 'folderId', template.folder_id, 'publishedVersionId', template.published_version_id,
      'isDeleted', template.deleted_at is not null) as template
    ${parts.map((name) => `, ${expressions[name]()} as "${name}"`).join('')}
  from (select ${columnsOf(runTable, 'run')} from runs run where organization_id = ${given.organizationId} and id ${condition}) run
  join organizations organization on organization.id = run."organizationId"
  join templates template on template.organization_id = run."organizationId" and template.id = run."templateId"
  cross join (select ${given.knownHash}::text as hash) known`;
}

/**
 * The same for several runs: `$1` is a JSON array of `Wanted`. With arrays as parameters, PostgreSQL would plan the
 * statement anew for each call. The limit lets it read one run at a time.
 */
export function selectEachRun(parts: readonly Part[]): string {
  const given = { organizationId: 'wanted."organizationId"', knownHash: 'wanted."knownHash"' };
  return `
  select wanted.place, found.*
  from json_to_recordset($1) as wanted(place int, "organizationId" uuid, id uuid, "knownHash" text)
  cross join lateral (${selectRuns('= wanted.id', parts, given)} limit 1) found
  where ${expectsOne('wanted.place')}`;
}

/** A run to select, and the place of its result. */
export interface Wanted {
  readonly place: number;
  readonly organizationId: string;
  readonly id: string;
  readonly knownHash: string;
}
