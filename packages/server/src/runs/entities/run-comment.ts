import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * A comment on a run, or on one of its tasks. Edits and deletions are facts of the run (decision 0076). A deleted
 * comment is kept without its text and its mentions.
 */
export const RunComment = defineEntity({
  name: 'RunComment',
  tableName: 'run_comments',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    runId: references('runs'),
    runTaskId: references('run_tasks').nullable(),
    actorType: p.enum(['API_KEY', 'USER', 'SYSTEM']),
    actorUserId: references('users').nullable(),
    actorApiKeyId: references('api_keys').nullable(),
    text: p.text(),
    userIds: p.json<readonly string[]>(),
    groupIds: p.json<readonly string[]>(),
    createdAt: p.datetime(),
    editedAt: p.datetime().nullable(),
    deletedAt: p.datetime().nullable(),
  },
  indexes: [{ name: 'run_comments_run_index', properties: ['organizationId', 'runId', 'id'] }],
});

/** A row of `run_comments`. */
export type RunComment = InferEntity<typeof RunComment>;
