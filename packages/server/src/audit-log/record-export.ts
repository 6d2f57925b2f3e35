import type { AuditAction } from '@runward/contract';
import type { RequestContext } from '../access/request-context.ts';
import { recordChange, type AuditProperties } from './record-change.ts';

/** Records an export of records of the whole organization, in a transaction of its own, before anything is sent. */
export async function recordExport(
  context: RequestContext,
  { action, fileName, filter }: { action: AuditAction; fileName: string; filter: AuditProperties },
): Promise<void> {
  const target = { type: 'ORGANIZATION', id: context.actor.organizationId, label: fileName } as const;
  await context.inTransaction((em) => recordChange({ ...context, em }, { action, target, after: filter }));
}
