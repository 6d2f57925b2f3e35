import { randomUUID } from 'node:crypto';
import { must } from '@runward/testing/process';
import type { Ids, World } from '../world/world.ts';
import type { Examples } from './example.ts';

/** Adds a field to the task of a world. */
export async function freshField({ api, ids: { template: id, task: taskId } }: World): Promise<Partial<Ids>> {
  const body = { label: 'Field', type: 'TEXT' } as const;
  return { field: (await must(api.call('templates.fields', 'create', { params: { id, taskId }, body }))).id };
}

/** A field with an option. */
export const choice = {
  label: 'Payment terms',
  type: 'DROPDOWN' as const,
  required: false,
  helpText: 'As agreed in the contract.',
  searchable: true,
  options: [{ key: 'net_30', label: '30 days net' }],
};

/** A field that looks up suppliers and fills another field of its task. */
export function lookupOf({ dataSource, nameColumn }: Ids, fieldId: string) {
  const autoFill = [{ columnId: nameColumn, fieldId }];
  return {
    label: 'Supplier',
    type: 'DATA_SOURCE' as const,
    dataSource: { dataSourceId: dataSource, labelColumnId: nameColumn, autoFill },
  };
}

/** Calls of the fields of a draft. */
export const templateFieldExamples = {
  'templates.fields': {
    create: [
      { body: () => ({ ...choice, key: `payment_terms_${randomUUID()}` }) },
      { body: (ids) => ({ ...lookupOf(ids, ids.field), key: `supplier_${randomUUID()}` }) },
    ],
    update: [
      {
        before: async (world) => {
          const [own, other] = [await freshField(world), await freshField(world)];
          return { ...own, lookupField: other.field ?? '' };
        },
        body: (ids) => lookupOf(ids, ids.lookupField),
      },
      {
        body: () => ({
          label: 'VAT ID',
          required: false,
          helpText: 'With the country code.',
          searchable: false,
          position: 0,
        }),
      },
      { before: freshField, body: () => ({ ...choice, key: `payment_terms_${randomUUID()}` }) },
    ],
    move: [{ body: ({ task }) => ({ targetTaskId: task, position: 0 }) }],
    delete: [
      { before: freshField },
      {
        before: async (world) => {
          const { field = '' } = await freshField(world);
          return { field, lookupField: field };
        },
      },
    ],
  },
} as const satisfies Examples;
