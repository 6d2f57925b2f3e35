import type { Kysely } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { cancellable } from '../../database/cancellable.ts';
import type { Em } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import { runListColumns, type RunListRow } from '../../runs/queries/list-runs.ts';
import { matchingRuns } from '../../runs/queries/matching-runs.ts';
import type { RunFilter } from '../../runs/queries/run-conditions.ts';

/** A run of the list with the names for its ids. */
export interface ExportedRun extends RunListRow {
  readonly templateName: string;
  readonly ownerName: string;
}

const batchSize = 1_000;

/**
 * The runs in the caller's resource scope that match a filter, newest first, in batches. No connection is held between
 * two batches, however slowly the client reads. The signal cancels the query in progress.
 */
export async function* readRuns(
  em: Em,
  actor: Actor,
  filter: RunFilter,
  signal: AbortSignal,
): AsyncGenerator<readonly ExportedRun[]> {
  let after: string | undefined;
  do {
    const rows = await cancellable(em, signal, (db) => readBatch(db, actor, filter, after));
    yield rows;
    after = rows.length < batchSize ? undefined : rows.at(-1)?.id;
  } while (after !== undefined);
}

async function readBatch(db: Kysely<Tables>, actor: Actor, filter: RunFilter, after: string | undefined) {
  const matching = matchingRuns(db, actor, filter)
    .innerJoin('templates as template', (join) =>
      join.onRef('template.organization_id', '=', 'run.organization_id').onRef('template.id', '=', 'run.template_id'),
    )
    .innerJoin('users as owner', (join) =>
      join.onRef('owner.organization_id', '=', 'run.organization_id').onRef('owner.id', '=', 'run.owner_user_id'),
    );
  const rest = after === undefined ? matching : matching.where('run.id', '<', after);
  return rest
    .select([...runListColumns, 'template.name as templateName', 'owner.name as ownerName'])
    .orderBy('run.id', 'desc')
    .limit(batchSize)
    .execute();
}
