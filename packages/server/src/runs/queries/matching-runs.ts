import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { runConditions, type RunFilter, type RunScope } from './run-conditions.ts';
import type { RunOrder, Runs } from './run-order.ts';

/**
 * The runs in a resource scope that match a filter (alias `run`). In the order `updatedAt`, and with `updatedAfter`,
 * the last line of each run's activity is joined as `change`, because an index finds these lines by their time
 * (decision 0089).
 */
export function matchingRuns(db: Kysely<Tables>, actor: RunScope, filter: RunFilter, order?: RunOrder): Runs {
  const { updatedAfter } = filter;
  const runs = db.selectFrom('runs as run').where(runConditions(actor, filter));
  return runs.$if(updatedAfter !== undefined || order?.property === 'updatedAt', (runs) => {
    const joined = runs.innerJoin('activity as change', (join) =>
      join
        .onRef('change.organization_id', '=', 'run.organization_id')
        .onRef('change.run_id', '=', 'run.id')
        .onRef('change.sequence', '=', 'run.activity_count')
        .on('change.ends_change', '=', true),
    );
    return updatedAfter === undefined ? joined : joined.where('change.at', '>', new Date(updatedAfter).toISOString());
  });
}
