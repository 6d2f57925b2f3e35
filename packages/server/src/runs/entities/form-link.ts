import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * A link with which a person without an account fills in the form of a task, as a guest. Only the SHA-256 of its token
 * is stored, which is unique over all organizations. Its code is stored as a hash that cannot be computed without the
 * token.
 */
export const FormLink = defineEntity({
  name: 'FormLink',
  tableName: 'form_links',
  properties: {
    organizationId: references('organizations').primary(),
    id: p.uuid().primary(),
    runTaskId: references('run_tasks', 'cascade'),
    userId: references('users'),
    tokenHash: p.blob(),
    createdByUserId: references('users'),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    revokedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    requireCode: p.boolean().default(false),
    codeHash: p.blob().nullable(),
    codeExpiresAt: p.datetime().nullable(),
    /** How often somebody has tried to enter the code. */
    codeAttempts: p.integer().default(0),
    /** When the hour began in which `codesSent` codes were sent. */
    codesSince: p.datetime().nullable(),
    codesSent: p.integer().default(0),
  },
  uniques: [{ name: 'form_links_token_hash_key', properties: ['tokenHash'] }],
  indexes: [{ name: 'form_links_task_index', properties: ['organizationId', 'runTaskId', 'id'] }],
});

/** A row of `form_links`. */
export type FormLink = InferEntity<typeof FormLink>;
