import { z } from 'zod';
import { jsonQuery } from '../json-query.ts';
import { operandUpTo } from '../templates/rule-types.ts';
import { id, key } from '../values.ts';

/**
 * How values of runs can be compared with those of a filter. The type of the value limits which of them are allowed.
 */
export const valueOperators = [
  'EQUALS',
  'IN',
  'CONTAINS',
  'GREATER_THAN',
  'LESS_THAN',
  'GREATER_OR_EQUAL',
  'LESS_OR_EQUAL',
  'BEFORE',
  'AFTER',
  'IS_EMPTY',
  'IS_NOT_EMPTY',
] as const;

/** How a filter compares values. */
export type ValueOperator = (typeof valueOperators)[number];

/** The operator of a filter by value. */
export const valueOperator = z.enum(valueOperators).meta({
  id: 'ValueOperator',
  description:
    'Text: EQUALS, IN, CONTAINS, ignoring case, in the first 500 characters of the value. NUMBER: EQUALS, IN, GREATER_THAN, LESS_THAN, ' +
    'GREATER_OR_EQUAL, LESS_OR_EQUAL. CHECKBOX and BOOLEAN: EQUALS. DATE and DATETIME: EQUALS, BEFORE, AFTER. DROPDOWN and USER: EQUALS, ' +
    'IN. DATA_SOURCE: EQUALS and IN with the id or the label of a row, CONTAINS with a part of its label. MULTI_SELECT: CONTAINS with the ' +
    'key of an option. Every type: IS_EMPTY, IS_NOT_EMPTY; false is not empty.',
});

const operand = operandUpTo(500);

const valueFilter = z
  .strictObject({
    fieldId: id.optional().describe('A searchable field; excludes `variable`.'),
    variable: key.optional().describe('The key of a searchable flow variable, of any template; excludes `fieldId`.'),
    operator: valueOperator.describe('How the value is compared.'),
    value: z
      .union([
        operand,
        z.array(operand).min(1, 'must contain at least one value').max(100, 'must contain at most 100 values'),
      ])
      .optional()
      .describe('What it is compared with: a list for IN, left out for IS_EMPTY and IS_NOT_EMPTY.'),
  })
  .refine(({ fieldId, variable }) => (fieldId === undefined) !== (variable === undefined), {
    error: 'must have either fieldId or variable',
  })
  .meta({ id: 'RunValueFilter', description: 'A condition on the value of a searchable field or flow variable.' });

/** How many conditions a filter can have. */
export const maximumValueFilters = 5;

/** Conditions on values of runs, combined with AND. */
export const valueFilters = z
  .array(valueFilter)
  .min(1, 'must not be empty; leave it out for all')
  .max(maximumValueFilters, `must contain at most ${maximumValueFilters} filters`);

/** A condition on a value of runs. */
export type ValueFilter = z.output<typeof valueFilter>;

/** What the conditions do. */
export const valueFiltersText =
  'Only runs with these values in searchable fields and flow variables; see GET /runs/searchable-fields. Visible fields count, with the ' +
  'newest value of each. 400 if one is not searchable, 503 while the runs of a template that was just published are being read. Default: all.';

/** Conditions on values of runs as a parameter of a query: a JSON list. */
export const valueFiltersQuery = jsonQuery(valueFilters, '[{"fieldId":"…","operator":"EQUALS","value":"…"}]')
  .optional()
  .describe(
    `${valueFiltersText} A JSON list of at most ${maximumValueFilters} conditions: \`[{"fieldId":"…","operator":"EQUALS","value":"…"}]\`, or with \`variable\` instead of \`fieldId\`.`,
  );
