import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { fieldTypes, type FieldValue as Value } from '@runward/contract';
import { references } from '../../database/references.ts';

/**
 * The current value of a field in an entry; earlier ones are in the activity. A cleared value is the JSON null, not the SQL one. `fieldType`
 * is the type that the field had when the value was submitted; `rowLabel` what the row of a data source was called that it names, and
 * `filledFrom` the field whose row it was taken from.
 */
export const FieldValue = defineEntity({
  name: 'FieldValue',
  tableName: 'field_values',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    runId: references('runs'),
    entryId: references('entries'),
    runTaskFieldId: p.uuid(),
    fieldType: p.enum(fieldTypes),
    value: p.json<Value>(),
    rowLabel: p.text().nullable(),
    filledFrom: p.uuid().nullable(),
    submittedByUserId: references('users'),
    submittedAt: p.datetime(),
  },
  uniques: [{ name: 'field_values_field_key', properties: ['organizationId', 'entryId', 'runTaskFieldId'] }],
  indexes: [{ name: 'field_values_run_index', properties: ['organizationId', 'runId'] }],
});

/** A row of `field_values`. */
export type FieldValue = InferEntity<typeof FieldValue>;
