import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { FieldType, VariableType } from '@runward/contract';
import { references } from '../../database/references.ts';

/**
 * INDEXING: runs are being read for the first time. REMOVING: no longer searchable, and its values are being deleted.
 */
const searchableFieldStatuses = ['INDEXING', 'READY', 'REMOVING'] as const;

/**
 * A field or flow variable that the published version of a template marks as searchable (decision 0086). `source` is
 * the id of the field, or `$` and the key of the variable. While `dueAt` is set, a job reads the runs of the template
 * in the order of their ids, beginning after `afterRunId`, and only those that have changed since `changedSince` if
 * that is set.
 */
export const SearchableField = defineEntity({
  name: 'SearchableField',
  tableName: 'searchable_fields',
  properties: {
    organizationId: p.uuid().primary(),
    templateId: references('templates', 'cascade').primary(),
    source: p.text().primary(),
    type: p.text().$type<FieldType | VariableType>(),
    name: p.text(),
    status: p.enum(searchableFieldStatuses),
    dueAt: p.datetime().nullable(),
    afterRunId: p.uuid().nullable(),
    changedSince: p.datetime().nullable(),
  },
  indexes: [
    { name: 'searchable_fields_source_index', properties: ['organizationId', 'source'] },
    { name: 'searchable_fields_due_index', properties: ['dueAt'], where: 'due_at is not null' },
  ],
});

/** A row of `searchable_fields`. */
export type SearchableField = InferEntity<typeof SearchableField>;
