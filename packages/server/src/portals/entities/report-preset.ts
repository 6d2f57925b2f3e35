import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Report } from '@runward/contract';
import { references } from '../../database/references.ts';

/**
 * A named report for the pages of portals. It never changes. Records that its filters name may have been deleted since.
 */
export const ReportPreset = defineEntity({
  name: 'ReportPreset',
  tableName: 'report_presets',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    report: p.json<Report>(),
    createdByUserId: references('users'),
    createdAt: p.datetime(),
  },
});

/** A row of `report_presets`. */
export type ReportPreset = InferEntity<typeof ReportPreset>;
