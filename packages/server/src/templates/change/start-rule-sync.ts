import type { RequestContext } from '../../access/request-context.ts';
import { RuleSync } from '../entities/rule-sync.ts';
import { TemplateVersion } from '../entities/template-version.ts';
import { countActiveWithRules } from '../queries/count-active-with-rules.ts';

/**
 * Lets a job apply the rules of this version to the active runs that have rules of earlier versions; see
 * `runs/change/sync-rules.ts`. Replaces an earlier sync that is still running, whose runs are among them. The caller
 * must hold the lock `update` on the template, so that no more runs of other versions are launched.
 */
export async function startRuleSync(
  { em, now }: Pick<RequestContext, 'em' | 'now'>,
  { organizationId, templateId, id: templateVersionId, number }: TemplateVersion,
): Promise<void> {
  const earlier = { organizationId, templateId, number: { $lt: number } };
  const versionIds = (await em.find(TemplateVersion, earlier, { fields: ['id'] })).map(({ id }) => id);
  const total = await countActiveWithRules(em, organizationId, templateId, versionIds);
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
