import type { RequestContext } from '../access/request-context.ts';
import { featureLocked } from '../api-error.ts';
import { lockRow } from '../database/lock-row.ts';
import { Organization, type Plan } from '../organization/entities/organization.ts';
import { countAllRows } from './queries/count-all-rows.ts';

/** The maximum number of rows in all data sources of an organization together, by plan. */
export const rowLimits: Readonly<Record<Plan, number>> = {
  FREE: 1_000,
  PRO: 10_000,
  BUSINESS: 100_000,
  ENTERPRISE: 1_000_000,
};

/**
 * Throws a 402 if the organization would have more rows than its plan includes. Until the transaction ends, no rows are
 * created in its other data sources, because these rows would count.
 */
export async function ensureRowLimit(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  added: number,
): Promise<void> {
  const { organizationId, plan } = actor;
  await lockRow(em, Organization, { id: organizationId }, 'no key update');
  const rows = await countAllRows(em, organizationId);
  const limit = rowLimits[plan];
  if (rows + added <= limit) return;
  const [has, most] = [rows, limit].map((count) => count.toLocaleString('en-US'));
  throw featureLocked(
    'dataSourceRows',
    `The ${plan} plan includes ${most} rows in data sources, and the organization has ${has}; delete rows, or change the plan.`,
  );
}
