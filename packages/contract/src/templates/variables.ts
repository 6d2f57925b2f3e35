import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { description, id, key, variableValue } from '../values.ts';

/** A flow variable: a named value every run of the template carries. */
export const variable = z
  .strictObject({ id, key, description: description.nullable(), defaultValue: variableValue })
  .meta({ id: 'Variable' });

const definition = z.strictObject({
  key,
  description: description.nullable().optional(),
  defaultValue: variableValue.optional().meta({ description: 'Default: null.' }),
});

/** Flow variables of a template's draft (spec: Templates). */
export const templateVariables = {
  list: {
    method: 'GET',
    path: '/templates/:id/variables',
    access: 'templates:read',
    summary: 'List the flow variables of the draft',
    query: pageQuery,
    status: 200,
    response: page(variable),
  },
  create: {
    method: 'POST',
    path: '/templates/:id/variables',
    access: 'templates:write',
    summary: 'Create a flow variable',
    body: definition,
    status: 201,
    response: variable,
  },
  update: {
    method: 'PUT',
    path: '/templates/:id/variables/:variableId',
    access: 'templates:write',
    summary: 'Update a flow variable',
    body: definition.partial(),
    status: 200,
    response: variable,
  },
  remove: {
    method: 'DELETE',
    path: '/templates/:id/variables/:variableId',
    access: 'templates:write',
    summary: 'Delete a flow variable',
    status: 204,
  },
} as const satisfies Group;
