import { randomUUID } from 'node:crypto';
import { newPhaseId, newVariableId } from '../world/drafts.ts';
import type { Examples } from './example.ts';

/** Calls of phases and flow variables. */
export const templatePartExamples = {
  'templates.phases': {
    create: [
      {
        body: () => ({
          key: `approval_${randomUUID()}`,
          name: 'Approval',
          description: 'Decided by the head of purchasing.',
        }),
      },
    ],
    update: [
      {
        body: () => ({
          key: `compliance_${randomUUID()}`,
          name: 'Compliance checks',
          description: 'Before the first order.',
          position: 0,
        }),
      },
    ],
    delete: [{ before: async (world) => ({ phase: await newPhaseId(world, world.ids.template) }) }],
  },
  'templates.variables': {
    create: [
      {
        body: () => ({
          key: `cost_center_${randomUUID()}`,
          name: 'Cost center',
          type: 'TEXT',
          description: 'Where the costs are booked.',
          defaultValue: 'EMEA-12',
          searchable: false,
          required: true,
          shownToGuests: true,
        }),
      },
    ],
    update: [
      {
        body: () => ({
          key: `cost_center_${randomUUID()}`,
          name: 'Cost center',
          description: 'Where the costs are booked.',
          type: 'NUMBER',
          defaultValue: 1,
          searchable: false,
          required: false,
          shownToGuests: true,
        }),
      },
    ],
    delete: [{ before: async (world) => ({ variable: await newVariableId(world, world.ids.template) }) }],
  },
} as const satisfies Examples;
