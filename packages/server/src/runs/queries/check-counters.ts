import type { RunStatus } from '@runward/contract';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

/** A counter that differs from the number of its runs. */
export interface CounterDifference {
  readonly organizationId: string;
  readonly templateId: string;
  readonly status: RunStatus;
  readonly archived: boolean;
  /** What the counter says, with the changes that were not folded yet. */
  readonly counted: number;
  readonly runs: number;
}

const differences = `
  select coalesce(counter.template_id, run.template_id) as "templateId", coalesce(counter.status, run.status) as status,
    coalesce(counter.archived, run.archived) as archived, coalesce(counted, 0)::int as counted, coalesce(runs, 0)::int as runs
  from (
    select template_id, status, archived, sum(count) as counted
    from (
      select template_id, status, archived, count from run_counters where organization_id = $1
      union all
      select template_id, status, archived, change from run_counter_changes where organization_id = $1
    ) part
    group by template_id, status, archived
  ) counter
  full join (
    select template_id, status, archived_at is not null as archived, count(*) as runs
    from runs where organization_id = $1 group by template_id, status, archived
  ) run on run.template_id = counter.template_id and run.status = counter.status and run.archived = counter.archived
  where coalesce(counted, 0) <> coalesce(runs, 0)
  order by 1, 2, 3`;

const find = statement<Omit<CounterDifference, 'organizationId'>>(differences);

const correct = statement<Omit<CounterDifference, 'organizationId'>>(`
  with different as (${differences}), corrected as (
    insert into run_counter_changes (organization_id, id, template_id, status, archived, change)
    select $1, gen_random_uuid(), "templateId", status, archived, runs - counted from different
  )
  select * from different`);

// Two corrections of the same difference would be one too many. Folding and reading go on.
const lock = statement('lock table run_counters in share update exclusive mode');

/**
 * The counters of an organization that differ from the number of its runs: none, unless somebody else than the service has written to the
 * database. Counters and runs are of one snapshot, so that requests in progress make no difference. With `fix`, which must run in a
 * transaction, the same statement adds what is missing.
 */
export async function checkCounters(
  em: Em,
  organizationId: string,
  { fix = false }: { fix?: boolean } = {},
): Promise<CounterDifference[]> {
  if (fix) await lock(em);
  const found = await (fix ? correct : find)(em, organizationId);
  return found.map((difference) => Object.assign(difference, { organizationId }));
}
