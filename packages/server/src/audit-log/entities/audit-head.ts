import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * The end of an organization's audit log: the number of its lines, and the hashes of the last two. The row is locked
 * while a line is added. `purgedCount` is the number of lines that were deleted because of their age.
 */
export const AuditHead = defineEntity({
  name: 'AuditHead',
  tableName: 'audit_heads',
  properties: {
    organizationId: references('organizations').primary(),
    count: p.integer(),
    hash: p.text(),
    previousHash: p.text(),
    purgedCount: p.integer().default(0),
  },
});

/** A row of `audit_heads`. */
export type AuditHead = InferEntity<typeof AuditHead>;
