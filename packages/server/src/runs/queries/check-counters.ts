import type { RunStatus } from '@runward/contract';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

/** A counter that differs from the number of its runs. */
export interface CounterDifference {
  readonly organizationId: string;
  readonly templateId: string;
  readonly status: RunStatus;
  readonly archived: boolean;
  /** The value of the counter, including changes that were not folded yet. */
  readonly counted: number;
  readonly runs: number;
  /** The value of the counter for the visible tasks of these runs, including changes that were not folded yet. */
  readonly countedTasks: number;
  readonly tasks: number;
}

const differences = `
  select coalesce(counter.template_id, run.template_id) as "templateId", coalesce(counter.status, run.status) as status,
    coalesce(counter.archived, run.archived) as archived, coalesce(counted, 0)::int as counted, coalesce(runs, 0)::int as runs,
    coalesce(counted_tasks, 0)::int as "countedTasks", coalesce(tasks, 0)::int as tasks
  from (
    select template_id, status, archived, sum(count) as counted, sum(task_count) as counted_tasks
    from (
      select template_id, status, archived, count, task_count from run_counters where organization_id = $1
      union all
      select template_id, status, archived, change, task_change from run_counter_changes where organization_id = $1
    ) part
    group by template_id, status, archived
  ) counter
  full join (
    select template_id, status, archived_at is not null as archived, count(*) as runs, sum(visible.tasks) as tasks
    from runs left join (
      select run_id, count(*) as tasks from run_tasks
      where organization_id = $1 and not hidden and removed_at is null group by run_id
    ) visible on visible.run_id = runs.id
    where organization_id = $1 group by template_id, status, archived
  ) run on run.template_id = counter.template_id and run.status = counter.status and run.archived = counter.archived
  where coalesce(counted, 0) <> coalesce(runs, 0) or coalesce(counted_tasks, 0) <> coalesce(tasks, 0)
  order by 1, 2, 3`;

const find = statement<Omit<CounterDifference, 'organizationId'>>(differences);

const correct = statement<Omit<CounterDifference, 'organizationId'>>(`
  with different as (${differences}), corrected as (
    insert into run_counter_changes (organization_id, id, template_id, status, archived, change, task_change)
    select $1, gen_random_uuid(), "templateId", status, archived, runs - counted, tasks - "countedTasks" from different
  )
  select * from different`);

// Two corrections of the same difference would correct it twice. The lock lets folding and reading continue.
const lock = statement('lock table run_counters in share update exclusive mode');

/**
 * The counters of an organization that differ from the number of its runs: none, unless someone other than the service
 * has written to the database. Counters and runs come from one snapshot, so that requests in progress cause no
 * differences. With `fix`, which must run in a transaction, the same statement adds what is missing.
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
