import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { auditActorTypes, type AuditAction, type auditTargetTypes } from '@runward/contract';
import { references } from '../../database/references.ts';

/**
 * A line of the audit log. `sequence` counts the lines of the organization from 1; `hash` chains them. The actions and
 * the kinds of targets are not enumerated in the database, because every version adds some.
 */
export const AuditLine = defineEntity({
  name: 'AuditLine',
  tableName: 'audit_lines',
  properties: {
    organizationId: references('organizations').primary(),
    sequence: p.integer().primary(),
    at: p.datetime(),
    action: p.text().$type<AuditAction>(),
    actorType: p.enum(auditActorTypes),
    actorUserId: references('users').nullable(),
    actorApiKeyId: references('api_keys').nullable(),
    address: p.text().nullable(),
    targetType: p.text().$type<(typeof auditTargetTypes)[number]>(),
    targetId: p.uuid(),
    targetLabel: p.text().nullable(),
    before: p.json<Readonly<Record<string, unknown>>>().nullable(),
    after: p.json<Readonly<Record<string, unknown>>>().nullable(),
    previousHash: p.text(),
    hash: p.text(),
  },
  indexes: [{ name: 'audit_lines_target_index', properties: ['organizationId', 'targetId', 'sequence'] }],
});

/** A row of `audit_lines`. */
export type AuditLine = InferEntity<typeof AuditLine>;
