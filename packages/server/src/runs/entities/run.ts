import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { RunStatus } from '@runward/contract';

/**
 * A run as lists show it. The whole of it is read and written by `load-run.ts` and `save-run.ts`; `nextDeadlineAt` and
 * `lastActivityAt` are derived from it there so that they can be searched.
 */
export const Run = defineEntity({
  name: 'Run',
  tableName: 'runs',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    publicId: p.text(),
    title: p.text(),
    status: p.text().$type<RunStatus>(),
    templateId: p.uuid(),
    templateVersionId: p.uuid(),
    ownerUserId: p.uuid(),
    scheduledDateLocal: p.date(),
    createdAt: p.datetime(),
    completedAt: p.datetime().nullable(),
    archivedAt: p.datetime().nullable(),
    lastActivityAt: p.datetime(),
    nextDeadlineAt: p.datetime().nullable(),
  },
});

/** A row of `runs`. */
export type Run = InferEntity<typeof Run>;
