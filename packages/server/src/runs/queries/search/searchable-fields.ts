import type { SearchKey } from '@runward/engine';
import type { Em } from '../../../database/database.ts';
import { statement } from '../../../database/statement.ts';
import { restingOrganizations } from '../../../organization/moves/resting.ts';

/**
 * Fields and variables of a template whose values in runs a job has to read or delete, locked until the transaction
 * ends.
 */
export interface DueFields {
  readonly organizationId: string;
  readonly templateId: string;
  readonly sources: readonly string[];
  readonly status: 'INDEXING' | 'READY' | 'REMOVING';
  readonly afterRunId: string | null;
  readonly changedSince: string | null;
}

const claim = statement<Omit<DueFields, 'sources'>>(`
  select organization_id as "organizationId", template_id as "templateId", status,
    after_run_id as "afterRunId", changed_since::text as "changedSince"
  from searchable_fields where due_at <= now() and organization_id not in ${restingOrganizations}
  order by due_at, organization_id, template_id, source limit 1 for update skip locked`);

/** All fields of the template that are as far as the claimed one. Its runs are read once for all of them. */
const lockAlike = statement<{ source: string }>(`
  select source from searchable_fields
  where organization_id = $1 and template_id = $2 and status = $3 and due_at <= now()
    and after_run_id is not distinct from $4 and changed_since is not distinct from $5::timestamptz
  order by source for update`);

const lockRuns = statement<{ id: string }>(`
  select id from runs
  where organization_id = $1 and template_id = $2 and id > coalesce($3, '00000000-0000-0000-0000-000000000000'::uuid)
    and ($4::timestamptz is null or id in (
      select run_id from activity where organization_id = $1 and ends_change and at >= $4))
  order by id limit $5 for no key update`);

const advance = statement(`
  update searchable_fields set after_run_id = $4
  where organization_id = $1 and template_id = $2 and source = any ($3)`);

/**
 * A change that was decided before the publication may be saved after its run was read. Therefore the runs that change
 * about that time are read once more, when every such request has ended.
 */
const makeReady = statement(`
  with read as materialized (
    select source, due_at - interval '2 minutes' as changed_since from searchable_fields
    where organization_id = $1 and template_id = $2 and source = any ($3)
  )
  update searchable_fields field
  set status = 'READY', after_run_id = null, changed_since = read.changed_since, due_at = now() + interval '2 minutes'
  from read where organization_id = $1 and template_id = $2 and field.source = read.source`);

const finish = statement(`
  update searchable_fields set due_at = null, after_run_id = null, changed_since = null
  where organization_id = $1 and template_id = $2 and source = any ($3)`);

const remove = statement(`
  delete from searchable_fields where organization_id = $1 and template_id = $2 and source = any ($3)`);

const clear = statement(`
  delete from searchable_values where organization_id = $1 and run_id = any ($2) and source = any ($3)`);

const fill = statement(`
  insert into searchable_values (organization_id, run_id, source, position, text, number)
  select $1, "runId", source, position, text, number
  from json_to_recordset($2) as value ("runId" uuid, source text, position int, text text, number double precision)`);

/** Claims the fields that are due first, of any organization. Null if none are due, or others work on them. */
export async function claimDueFields(em: Em): Promise<DueFields | null> {
  const [first] = await claim(em);
  if (!first) return null;
  const { organizationId, templateId, status, afterRunId, changedSince } = first;
  const alike = await lockAlike(em, organizationId, templateId, status, afterRunId, changedSince);
  return { ...first, sources: alike.map(({ source }) => source) };
}

/** Locks the next runs of the template whose values have to be read or deleted, in the order of their ids. */
export async function lockRunsOf(em: Em, fields: DueFields, limit: number): Promise<string[]> {
  const { organizationId, templateId, afterRunId, changedSince } = fields;
  const rows = await lockRuns(em, organizationId, templateId, afterRunId, changedSince, limit);
  return rows.map(({ id }) => id);
}

/** A value of a run, as the table `searchable_values` has it. */
export interface RunValue extends SearchKey {
  readonly runId: string;
}

/** Replaces the values of runs in these fields, up to the last of these runs. */
export async function replaceValues(
  em: Em,
  { organizationId, templateId, sources }: DueFields,
  runIds: readonly string[],
  values: readonly RunValue[],
): Promise<void> {
  await clear(em, organizationId, runIds, sources);
  if (values.length > 0) await fill(em, organizationId, JSON.stringify(values));
  await advance(em, organizationId, templateId, sources, runIds.at(-1));
}

/** Records that all runs are done. */
export async function endOf(em: Em, { organizationId, templateId, sources, status }: DueFields): Promise<void> {
  const end = { INDEXING: makeReady, READY: finish, REMOVING: remove }[status];
  await end(em, organizationId, templateId, sources);
}
