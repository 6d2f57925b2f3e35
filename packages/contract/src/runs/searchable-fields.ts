import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { fieldType } from '../templates/field-types.ts';
import { variableType } from '../templates/variables.ts';
import { id, key, title } from '../values.ts';
import { valueOperator } from './value-filters.ts';

/** The states of a searchable field. */
const searchableStatuses = ['READY', 'INDEXING'] as const;

const searchableField = component('SearchableField', 'A field or flow variable by whose values runs can be found.', {
  templateId: id.describe('The template that marks it as searchable.'),
  templateName: title.describe('Name of the template.'),
  fieldId: id.nullable().describe('Id of the field; null for a flow variable.'),
  variable: key.nullable().describe('Key of the flow variable; null for a field.'),
  name: title.describe('Label of the field, or name or key of the flow variable.'),
  type: fieldType.or(variableType).describe('What values it has.'),
  operators: z.array(valueOperator).describe('How filters can compare its value.'),
  status: z.enum(searchableStatuses).meta({
    id: 'SearchableStatus',
    description: 'INDEXING: it was published a moment ago, and filters by it are 503 until the existing runs are read.',
  }),
});

/** What runs can be found by. Part of the group `runs`. */
export const searchableFields = {
  searchableFields: {
    method: 'GET',
    path: '/runs/searchable-fields',
    access: 'runs:read',
    summary: 'List the fields and flow variables by which runs can be found',
    description:
      'The published versions of the templates mark them, by template; they apply to all runs of the template. Use them in the parameter ' +
      '`values` of lists, counts and exports, and in filter sets.',
    query: pageQuery,
    response: page(searchableField),
  },
} as const satisfies Group;
