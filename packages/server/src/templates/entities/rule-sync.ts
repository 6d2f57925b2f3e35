import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/** The statuses of a rule sync that was started. */
const ruleSyncStatuses = ['RUNNING', 'COMPLETED', 'FAILED'] as const;

/** A run that a rule sync could not change. */
export interface FailedRun {
  readonly runId: string;
  readonly message: string;
}

/**
 * The latest rule sync of a template, which applies the rules of the version to active runs. Runs up to `afterRunId`,
 * in the order of their ids, are done. Another publication starts it again from the beginning.
 */
export const RuleSync = defineEntity({
  name: 'RuleSync',
  tableName: 'rule_syncs',
  properties: {
    organizationId: p.uuid().primary(),
    templateId: references('templates').primary(),
    templateVersionId: references('template_versions'),
    status: p.enum(ruleSyncStatuses),
    total: p.integer(),
    processed: p.integer(),
    failed: p.json<readonly FailedRun[]>(),
    afterRunId: p.uuid().nullable(),
    startedAt: p.datetime(),
    updatedAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
  },
  indexes: [{ name: 'rule_syncs_running_index', properties: ['updatedAt'], where: "status = 'RUNNING'" }],
});

/** A row of `rule_syncs`. */
export type RuleSync = InferEntity<typeof RuleSync>;
