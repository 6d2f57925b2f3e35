import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { TemplateVersion } from './template-version.ts';
import { Template } from './template.ts';

/** The statuses of a rule sync that was started. */
export const ruleSyncStatuses = ['RUNNING', 'COMPLETED', 'FAILED'] as const;

/** A run that a rule sync could not change. */
export interface FailedRun {
  readonly runId: string;
  readonly message: string;
}

/**
 * The latest rule sync of a template: active runs get the rules of the version. Runs up to `afterRunId`, in the order of their ids, are
 * done. Another publication begins it anew.
 */
export const RuleSync = defineEntity({
  name: 'RuleSync',
  tableName: 'rule_syncs',
  properties: {
    organizationId: p.uuid().primary(),
    templateId: p.uuid().primary(),
    templateVersionId: p.uuid(),
    status: p.enum(ruleSyncStatuses),
    total: p.integer(),
    processed: p.integer(),
    failed: p.json<readonly FailedRun[]>(),
    afterRunId: p.uuid().nullable(),
    startedAt: p.datetime(),
    updatedAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
    template: () => p.manyToOne(Template).joinColumns('organization_id', 'template_id').lazyRef().persist(false),
    templateVersion: () =>
      p.manyToOne(TemplateVersion).joinColumns('organization_id', 'template_version_id').lazyRef().persist(false),
  },
  indexes: [{ name: 'rule_syncs_running_index', properties: ['updatedAt'], where: "status = 'RUNNING'" }],
});

/** A row of `rule_syncs`. */
export type RuleSync = InferEntity<typeof RuleSync>;
