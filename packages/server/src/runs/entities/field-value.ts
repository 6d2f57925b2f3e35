import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { fieldTypes, type FieldValue as Value } from '@runward/contract';

/**
 * The current value of a field in an entry; earlier values are in the activity. A cleared value is the JSON null, not
 * the SQL null. `fieldType` is the type of the field when the value was submitted. If the value names a row of a data
 * source, `rowLabel` is the row's label at that time. If the value was taken from a row, `filledFrom` is the field
 * whose value named the row.
 */
export const FieldValue = defineEntity({
  name: 'FieldValue',
  tableName: 'field_values',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    runId: p.uuid(),
    entryId: p.uuid(),
    runTaskFieldId: p.uuid(),
    fieldType: p.enum(fieldTypes),
    value: p.json<Value>(),
    rowLabel: p.text().nullable(),
    filledFrom: p.uuid().nullable(),
    submittedByUserId: p.uuid(),
    submittedAt: p.datetime(),
  },
  uniques: [{ name: 'field_values_field_key', properties: ['organizationId', 'runId', 'entryId', 'runTaskFieldId'] }],
});

/** A row of `field_values`. */
export type FieldValue = InferEntity<typeof FieldValue>;
