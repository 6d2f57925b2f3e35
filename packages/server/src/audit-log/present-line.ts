import type { Contract, Response } from '@runward/contract';
import { instant } from '../database/instant.ts';
import type { AuditRow } from './queries/list-lines.ts';

/** A line of the audit log, as the API returns it. */
export type PresentedLine = Response<Contract['auditLog']['list']>['data'][number];

/** A line, as the API returns it. */
export function presentLine(row: AuditRow): PresentedLine {
  return {
    sequence: row.sequence,
    at: instant(row.at),
    action: row.action,
    actor: { type: row.actorType, userId: row.actorUserId ?? null, apiKeyId: row.actorApiKeyId ?? null },
    address: row.address ?? null,
    target: { type: row.targetType, id: row.targetId, label: row.targetLabel ?? null },
    before: row.before ?? null,
    after: row.after ?? null,
    previousHash: row.previousHash,
    hash: row.hash,
  };
}
