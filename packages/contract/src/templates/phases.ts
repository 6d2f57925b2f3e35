import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { description, id, title } from '../values.ts';

/** A phase: a heading that groups tasks. */
export const phase = z
  .strictObject({ id, position: z.int(), name: title, description: description.nullable() })
  .meta({ id: 'Phase' });

const definition = z.strictObject({ name: title, description: description.nullable().optional() });

/** Phases of a template's draft (spec: Templates). */
export const templatePhases = {
  list: {
    method: 'GET',
    path: '/templates/:id/phases',
    access: 'templates:read',
    summary: 'List the phases of the draft in their order',
    query: pageQuery,
    status: 200,
    response: page(phase),
  },
  create: {
    method: 'POST',
    path: '/templates/:id/phases',
    access: 'templates:write',
    summary: 'Add a phase at the end',
    body: definition,
    status: 201,
    response: phase,
  },
  update: {
    method: 'PUT',
    path: '/templates/:id/phases/:phaseId',
    access: 'templates:write',
    summary: 'Update or move a phase',
    body: definition.partial().extend({ position: z.int().min(0).optional() }),
    status: 200,
    response: phase,
  },
  remove: {
    method: 'DELETE',
    path: '/templates/:id/phases/:phaseId',
    access: 'templates:write',
    summary: 'Delete a phase; its tasks stay, without a phase',
    status: 204,
  },
} as const satisfies Group;
