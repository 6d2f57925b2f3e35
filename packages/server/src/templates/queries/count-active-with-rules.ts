import { activeRunStatuses } from '@runward/engine';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

/**
 * A condition on `runs`: runs of the organization $1 and its template $2 that have the rules of one of the versions $3
 * and one of the statuses $4.
 */
export const activeWithRulesOf = `organization_id = $1 and template_id = $2
    and coalesce(rules_version_id, template_version_id) = any ($3::uuid[]) and status = any ($4)`;

const count = statement<{ total: number }>(`select count(*)::int as total from runs where ${activeWithRulesOf}`);

/** The number of active runs of a template that have the rules of these versions. */
export async function countActiveWithRules(
  em: Em,
  organizationId: string,
  templateId: string,
  versionIds: readonly string[],
): Promise<number> {
  return (await count(em, organizationId, templateId, versionIds, activeRunStatuses))[0]?.total ?? 0;
}
