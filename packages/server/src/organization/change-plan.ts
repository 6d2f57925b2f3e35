import { hasCapability } from '../access/plan.ts';
import { administration, recordChange } from '../audit-log/record-change.ts';
import type { Em } from '../database/database.ts';
import { Webhook } from '../webhooks/entities/webhook.ts';
import { organizationTarget } from './audited.ts';
import type { Organization, Plan } from './entities/organization.ts';

/**
 * Changes the plan of an organization, with the administration command. Webhooks that were paused by the old plan
 * resume. The pause does not count towards the days of failures after which a webhook is disabled.
 */
export async function changePlan(em: Em, organization: Organization, plan: Plan): Promise<void> {
  const before = { plan: organization.plan };
  const resumes = !hasCapability(organization, 'publicApi') && hasCapability({ plan }, 'publicApi');
  organization.plan = plan;
  await em.flush();
  if (resumes) await em.nativeUpdate(Webhook, { organizationId: organization.id }, { failingSince: null });
  const context = administration(em, organization.id);
  const target = organizationTarget(organization);
  await recordChange(context, { action: 'organization.plan_changed', target, before, after: { plan } });
}
