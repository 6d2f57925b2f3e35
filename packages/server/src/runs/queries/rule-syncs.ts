import { activeRunStatuses } from '@runward/engine';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { restingOrganizations } from '../../organization/moves/resting.ts';
import type { FailedRun } from '../../templates/entities/rule-sync.ts';
import { activeWithRulesOf } from '../../templates/queries/count-active-with-rules.ts';

/** A rule sync that no other process works on until the transaction ends. `now` is the database's time. */
export interface ClaimedSync {
  readonly organizationId: string;
  readonly templateId: string;
  readonly templateVersionId: string;
  /** All versions of the template that were published before this one. */
  readonly earlierVersionIds: readonly string[];
  readonly afterRunId: string | null;
  readonly now: string;
}

const claim = statement<Omit<ClaimedSync, 'earlierVersionIds'>>(`
  select organization_id as "organizationId", template_id as "templateId", template_version_id as "templateVersionId",
    after_run_id as "afterRunId", date_trunc('milliseconds', now()) as now
  from rule_syncs where status = 'RUNNING' and template_id <> all ($1::uuid[]) and organization_id not in ${restingOrganizations}
  order by updated_at limit 1 for update skip locked`);

const earlierVersions = statement<{ id: string }>(`
  select earlier.id from template_versions version
  join template_versions earlier using (organization_id, template_id)
  where version.organization_id = $1 and version.id = $2 and earlier.number < version.number`);

const lockNext = statement<{ id: string }>(`
  select id from runs
  where ${activeWithRulesOf} and id > coalesce($5, '00000000-0000-0000-0000-000000000000'::uuid)
  order by id limit $6 for update`);

const progress = statement(`
  update rule_syncs set processed = least(total, processed + $3), after_run_id = $4, failed = failed || $5::jsonb,
    updated_at = now()
  where organization_id = $1 and template_id = $2`);

const finish = statement(`
  update rule_syncs set status = case when failed = '[]' then 'COMPLETED' else 'FAILED' end, processed = total,
    updated_at = now(), finished_at = now()
  where organization_id = $1 and template_id = $2`);

/**
 * Claims the unfinished rule sync that waits longest, of any organization, but not of these templates. Its versions are
 * read by a statement of their own, once it is locked. If a publication replaces the sync while it is being claimed,
 * the claim has the new version, but would not see its row yet; the sync would end without a run.
 */
export async function claimRuleSync(em: Em, exceptTemplateIds: readonly string[]): Promise<ClaimedSync | null> {
  const [sync] = await claim(em, exceptTemplateIds);
  if (!sync) return null;
  const earlier = await earlierVersions(em, sync.organizationId, sync.templateVersionId);
  return { ...sync, earlierVersionIds: earlier.map(({ id }) => id) };
}

/** Locks the next active runs that have rules of earlier versions. Returns their ids in order; none if all are done. */
export async function lockNextRuns(em: Em, sync: ClaimedSync, limit: number): Promise<string[]> {
  const { organizationId, templateId, earlierVersionIds, afterRunId } = sync;
  const rows = await lockNext(em, organizationId, templateId, earlierVersionIds, activeRunStatuses, afterRunId, limit);
  return rows.map(({ id }) => id);
}

/** Records that runs are done. */
export async function recordProgress(
  em: Em,
  { organizationId, templateId }: ClaimedSync,
  done: { readonly processed: number; readonly afterRunId: string; readonly failed: readonly FailedRun[] },
): Promise<void> {
  await progress(em, organizationId, templateId, done.processed, done.afterRunId, JSON.stringify(done.failed));
}

/** Ends a rule sync. Runs that have ended since the publication count as processed. */
export async function finishRuleSync(em: Em, { organizationId, templateId }: ClaimedSync): Promise<void> {
  await finish(em, organizationId, templateId);
}
