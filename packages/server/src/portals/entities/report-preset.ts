import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Report } from '@runward/contract';
import { User } from '../../organization/entities/user.ts';

/** A report under a name, for the pages of portals. It never changes, and what its filters name may have been deleted since. */
export const ReportPreset = defineEntity({
  name: 'ReportPreset',
  tableName: 'report_presets',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    report: p.json<Report>(),
    createdByUserId: p.uuid(),
    createdAt: p.datetime(),
    createdBy: () => p.manyToOne(User).joinColumns('organization_id', 'created_by_user_id').lazyRef().persist(false),
  },
});

/** A row of `report_presets`. */
export type ReportPreset = InferEntity<typeof ReportPreset>;
