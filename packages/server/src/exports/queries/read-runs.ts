import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { cancellable } from '../../database/cancellable.ts';
import type { Em } from '../../database/database.ts';
import { runConditions, type RunFilter, type RunListRow } from '../../runs/queries/list-runs.ts';

/** A run of the list with the names its ids stand for. */
export interface ExportedRun extends RunListRow {
  readonly templateName: string;
  readonly ownerName: string;
}

const batchSize = 1_000;

/**
 * The runs in the caller's resource scope that match a filter, newest first, in batches. No connection is held between two batches,
 * however slowly the client reads. The signal cancels the query under way.
 */
export async function* readRuns(
  em: Em,
  actor: Actor,
  filter: RunFilter,
  signal: AbortSignal,
): AsyncGenerator<readonly ExportedRun[]> {
  const where = runConditions(actor, filter);
  let after: string | undefined;
  do {
    const query = sql<ExportedRun>`
      select run.id, run.public_id as "publicId", run.title, run.status, run.template_id as "templateId",
        template.name as "templateName", run.owner_user_id as "ownerUserId", owner.name as "ownerName",
        run.scheduled_date_local::text as "scheduledDateLocal", run.created_at as "createdAt", run.completed_at as "completedAt"
      from runs run
        join templates template on template.organization_id = run.organization_id and template.id = run.template_id
        join users owner on owner.organization_id = run.organization_id and owner.id = run.owner_user_id
      where ${where} ${after === undefined ? sql`` : sql`and run.id < ${after}`}
      order by run.id desc limit ${batchSize}`;
    const rows = await cancellable(em, query, signal);
    yield rows;
    after = rows.length < batchSize ? undefined : rows.at(-1)?.id;
  } while (after !== undefined);
}
