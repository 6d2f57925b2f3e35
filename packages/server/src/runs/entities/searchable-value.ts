import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * A value by which a run is found: a `text` or a `number`, in the form of the engine's `SearchKey` (decision 0086).
 * `source` is that of the table `searchable_fields`. Written with the run, and by the job that reads the runs of a
 * template whose marks have changed.
 */
export const SearchableValue = defineEntity({
  name: 'SearchableValue',
  tableName: 'searchable_values',
  properties: {
    organizationId: p.uuid().primary(),
    runId: references('runs', 'cascade').primary(),
    source: p.text().primary(),
    position: p.integer().primary(),
    text: p.text().nullable(),
    number: p.double().nullable(),
  },
  indexes: [
    {
      name: 'searchable_values_text_index',
      properties: ['organizationId', 'source', 'text', 'runId'],
      where: 'text is not null',
    },
    {
      name: 'searchable_values_trigram_index',
      expression:
        'create index searchable_values_trigram_index on searchable_values using gin (text gin_trgm_ops) where text is not null',
    },
    {
      name: 'searchable_values_number_index',
      properties: ['organizationId', 'source', 'number', 'runId'],
      where: 'number is not null',
    },
  ],
});

/** A row of `searchable_values`. */
export type SearchableValue = InferEntity<typeof SearchableValue>;
