import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { description, givenPartKey, id, partKey, position, title } from '../values.ts';
import { draftRejections } from './rejections.ts';

/** A phase: a heading for a group of tasks. */
export const phase = component('Phase', 'A heading for a group of tasks.', {
  id: id.describe('Id of the phase, stable across versions.'),
  key: partKey,
  position: z.int().min(0).describe('Counts from 0.'),
  name: title.describe('Display name.'),
  description: description.nullable().describe('Text for people who work on the phase; null for none.'),
});

/** What a phase is made of, as a client sends it. */
export const phaseDefinition = z.strictObject({
  key: givenPartKey,
  name: title.describe('Display name.'),
  description: description.nullable().optional().describe('At most 2,000 characters. New phases: null by default.'),
});

/** Phases of the draft of a template (spec: Templates). */
export const templatePhases = {
  list: {
    method: 'GET',
    path: '/templates/:id/phases',
    large: true,
    access: 'templates:read',
    summary: 'List the phases of the draft in order',
    query: pageQuery,
    response: page(phase),
  },
  create: {
    method: 'POST',
    path: '/templates/:id/phases',
    large: true,
    access: 'templates:write',
    summary: 'Add a phase at the end',
    description: 'A template has at most 100 phases.',
    body: phaseDefinition.meta({ id: 'CreatePhase', description: 'A new phase.' }),
    errors: draftRejections,
    status: 201,
    response: phase,
  },
  update: {
    method: 'PUT',
    path: '/templates/:id/phases/:phaseId',
    large: true,
    access: 'templates:write',
    summary: 'Update or move a phase',
    description: 'Properties that are left out do not change.',
    body: phaseDefinition
      .partial()
      .extend({
        position: position.optional().describe('Counts from 0. Past the end means the end.'),
      })
      .meta({ id: 'UpdatePhase', description: 'Changes to a phase.' }),
    errors: draftRejections,
    response: phase,
  },
  delete: {
    method: 'DELETE',
    path: '/templates/:id/phases/:phaseId',
    large: true,
    access: 'templates:write',
    summary: 'Delete a phase',
    description: 'Its tasks stay in the draft without a phase.',
    errors: draftRejections,
  },
} as const satisfies Group;
