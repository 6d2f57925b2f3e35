import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { description, id, key, title, variableValue } from '../values.ts';
import { draftRejections } from './rejections.ts';

/** The types of flow variables. */
export const variableTypes = ['TEXT', 'NUMBER', 'BOOLEAN', 'DATE'] as const;

/** The type of a flow variable. */
export type VariableType = (typeof variableTypes)[number];

/** The type of a flow variable on the wire. */
export const variableType = z
  .enum(variableTypes)
  .meta({ id: 'VariableType', description: 'The type of a flow variable: what values it can have.' });

/** A flow variable: a named value that each run of the template has. */
export const variable = component('Variable', 'A named value that each run of the template has.', {
  id: id.describe('Id of the variable, stable across versions.'),
  key: key.describe('Unique within the template.'),
  name: title.nullable().describe('What people see; null: the key.'),
  type: variableType.describe('What values the variable can have.'),
  description: description.nullable().describe('What the variable is for; null for none.'),
  defaultValue: variableValue.describe('Value in runs that are launched without one.'),
  searchable: z.boolean().describe('Whether runs can be found by the value of the flow variable.'),
  required: z
    .boolean()
    .describe('Whether a launch is rejected without a value: neither one that is given, nor a default.'),
  shownToGuests: z.boolean().describe('Whether everyone who has a task of a run sees the value.'),
});

/** What a flow variable is made of, as a client sends it. */
export const variableDefinition = z.strictObject({
  key: key.describe('Unique within the template. At most 64 letters, digits, `_` and `-`, beginning with a letter.'),
  name: title.nullable().optional().describe('What people see. New variables: null by default, the key.'),
  type: variableType
    .optional()
    .describe(
      'TEXT: strings. NUMBER: numbers. BOOLEAN: true and false. DATE: dates like `2026-03-01`. New variables: by default the type of ' +
        'the default value, TEXT if it is a string or null.',
    ),
  description: description.nullable().optional().describe('At most 2,000 characters. New variables: null by default.'),
  defaultValue: variableValue
    .optional()
    .describe('Value in runs that are launched without one; must fit the type. New variables: null by default.'),
  searchable: z
    .boolean()
    .optional()
    .describe(
      'Whether runs can be found by the value, once the template is published; see GET /runs/searchable-fields. At most 20 fields and ' +
        'flow variables of a template. New variables: false by default.',
    ),
  required: z
    .boolean()
    .optional()
    .describe(
      'Whether a launch is rejected without a value: neither one that is given, nor a default. Runs that exist are not affected. New ' +
        'variables: false by default.',
    ),
  shownToGuests: z
    .boolean()
    .optional()
    .describe(
      'Whether the value is shown above the forms of a run, also to guests and behind form links; see ' +
        'GET /runs/tasks/:taskId/form. New variables: false by default.',
    ),
});

/** Flow variables of the draft of a template (spec: Templates). */
export const templateVariables = {
  list: {
    method: 'GET',
    path: '/templates/:id/variables',
    large: true,
    access: 'templates:read',
    summary: 'List the flow variables of the draft',
    query: pageQuery,
    response: page(variable),
  },
  create: {
    method: 'POST',
    path: '/templates/:id/variables',
    large: true,
    access: 'templates:write',
    summary: 'Create a flow variable',
    description: 'A template has at most 200 flow variables. Changes only the draft.',
    body: variableDefinition.meta({ id: 'CreateVariable', description: 'A new flow variable.' }),
    errors: draftRejections,
    status: 201,
    response: variable,
  },
  update: {
    method: 'PUT',
    path: '/templates/:id/variables/:variableId',
    large: true,
    access: 'templates:write',
    summary: 'Update a flow variable',
    description: 'Properties that are left out do not change. Changes only the draft.',
    body: variableDefinition.partial().meta({ id: 'UpdateVariable', description: 'Changes to a flow variable.' }),
    errors: draftRejections,
    response: variable,
  },
  delete: {
    method: 'DELETE',
    path: '/templates/:id/variables/:variableId',
    large: true,
    access: 'templates:write',
    summary: 'Delete a flow variable',
    description: 'Changes only the draft: published versions and their runs keep the variable.',
    errors: draftRejections,
  },
} as const satisfies Group;
