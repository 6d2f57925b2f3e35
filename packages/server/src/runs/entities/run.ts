import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { runStatuses } from '@runward/contract';
import type { RunState } from '@runward/engine';
import { references } from '../../database/references.ts';

/**
 * A run. Only `runs/store` writes it, together with the rows below it. `nextDeadlineAt` and `lastActivityAt` are
 * derived so that they can be searched. `firstOverdueAt` is when the run first became OVERDUE. `updatedAt` is the time
 * of the last fact. `activityCount` is the number of facts, and therefore the version of the run. `activityHash` is the
 * hash of the last line of its activity.
 */
export const Run = defineEntity({
  name: 'Run',
  tableName: 'runs',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    publicId: p.text(),
    title: p.text(),
    status: p.enum(runStatuses),
    templateId: references('templates'),
    templateVersionId: references('template_versions'),
    rulesVersionId: references('template_versions').nullable(),
    ownerUserId: references('users'),
    scheduledDateLocal: p.date(),
    variables: p.json<RunState['variables']>(),
    ruleVariables: p.json<RunState['ruleVariables']>(),
    createdAt: p.datetime(),
    completedAt: p.datetime().nullable(),
    cancelledAt: p.datetime().nullable(),
    archivedAt: p.datetime().nullable(),
    firstOverdueAt: p.datetime().nullable(),
    lastActivityAt: p.datetime(),
    updatedAt: p.datetime(),
    nextDeadlineAt: p.datetime().nullable(),
    activityCount: p.integer(),
    activityHash: p.text(),
  },
  uniques: [{ name: 'runs_public_id_key', properties: ['organizationId', 'publicId'] }],
  indexes: [
    { name: 'runs_list_index', properties: ['organizationId', 'id'], where: 'archived_at is null' },
    { name: 'runs_archived_index', properties: ['organizationId', 'id'], where: 'archived_at is not null' },
    { name: 'runs_status_index', properties: ['organizationId', 'status', 'id'], where: 'archived_at is null' },
    { name: 'runs_owner_index', properties: ['organizationId', 'ownerUserId', 'id'], where: 'archived_at is null' },
    {
      name: 'runs_scheduled_index',
      properties: ['organizationId', 'scheduledDateLocal', 'id'],
      where: 'archived_at is null',
    },
    {
      name: 'runs_title_index',
      expression: 'create index runs_title_index on runs (organization_id, lower(title), id) where archived_at is null',
    },
    { name: 'runs_template_index', properties: ['organizationId', 'templateId', 'status', 'id'] },
    { name: 'runs_next_deadline_index', properties: ['nextDeadlineAt'], where: 'next_deadline_at is not null' },
  ],
});

/** A row of `runs`. */
export type Run = InferEntity<typeof Run>;
