import type { Database } from '@runward/server/internal/database/database';
import { runStatement } from '@runward/server/internal/database/statement';
import { Organization } from '@runward/server/internal/organization/entities/organization';
import { checkCounters } from '@runward/server/internal/runs/queries/check-counters';

/** What each row of these tables belongs to, which no foreign key checks (decision 0104). */
const parents = [
  { table: 'run_tasks', parent: 'runs', column: 'run_id' },
  { table: 'activity', parent: 'runs', column: 'run_id' },
  { table: 'entries', parent: 'run_tasks', column: 'run_task_id' },
  { table: 'entry_completion_keys', parent: 'entries', column: 'entry_id' },
  { table: 'field_values', parent: 'entries', column: 'entry_id' },
] as const;

/** Throws if a run counter of these organizations, or of any organization, is wrong, or a row belongs to nothing. */
export async function ensureConsistent(database: Database, organizationIds?: readonly string[]): Promise<void> {
  const em = database.em.fork();
  const ids = organizationIds ?? (await em.find(Organization, {}, { fields: ['id'] })).map(({ id }) => id);
  const differences = [];
  for (const id of ids) differences.push(...(await checkCounters(em, id)));
  if (differences.length > 0) throw new Error(`Counters differ from their runs: ${JSON.stringify(differences)}`);
  const strays = await runStatement<object>(
    em,
    `${parents
      .map(
        ({ table, parent, column }) => `
        select '${table}' as "table", row.${column} as "${parent}" from ${table} row
        where row.organization_id = any ($1) and not exists (
          select from ${parent} parent
          where parent.organization_id = row.organization_id and parent.id = row.${column})`,
      )
      .join(' union all ')} limit 20`,
    [ids],
  );
  if (strays.length > 0) throw new Error(`Rows belong to rows that do not exist: ${JSON.stringify(strays)}`);
}
