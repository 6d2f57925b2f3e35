import type { Contract, QueryInput, Response } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { must } from '@runward/testing/process';

/** A line of the audit log. */
export type AuditLine = Response<Contract['auditLog']['list']>['data'][number];

/** The newest lines of the audit log that match a filter, without as many of the first as `skip` says. */
export async function linesOf(
  administrator: Api,
  query: QueryInput<Contract['auditLog']['list']> = {},
  skip = 0,
): Promise<readonly AuditLine[]> {
  return (await must(administrator.call('auditLog', 'list', { query }))).data.slice(skip);
}
