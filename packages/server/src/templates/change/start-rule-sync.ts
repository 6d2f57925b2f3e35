import { activeRunStatuses } from '@runward/engine';
import type { RequestContext } from '../../access/request-context.ts';
import { Run } from '../../runs/entities/run.ts';
import { RuleSync } from '../entities/rule-sync.ts';
import type { TemplateVersion } from '../entities/template-version.ts';

/**
 * Lets a job give the active runs of other versions the rules of this one; see `runs/sync-rules.ts`. Takes the place of an earlier sync that
 * is still running. The caller holds the lock `update` on the template, so that no run of another version is launched any more.
 */
export async function startRuleSync(
  { em, now }: Pick<RequestContext, 'em' | 'now'>,
  { organizationId, templateId, id: templateVersionId }: TemplateVersion,
): Promise<void> {
  const total = await em.count(Run, {
    organizationId,
    templateId,
    status: { $in: [...activeRunStatuses] },
    templateVersionId: { $ne: templateVersionId },
  });
  const begun = {
    templateVersionId,
    total,
    processed: 0,
    failed: [],
    afterRunId: null,
    startedAt: now,
    updatedAt: now,
  };
  const status = total === 0 ? 'COMPLETED' : 'RUNNING';
  await em.upsert(RuleSync, { organizationId, templateId, ...begun, status, finishedAt: total === 0 ? now : null });
}
