import { z } from 'zod';
import { jsonQuery } from '../json-query.ts';
import { ruleOperators } from '../templates/rule-types.ts';
import { id } from '../values.ts';

const operand = z.union([z.string().max(10_000, 'must be at most 10000 characters'), z.number(), z.boolean()]);

const filter = z.strictObject({
  columnId: id,
  // The type of the column limits which of them are allowed.
  operator: z.enum(ruleOperators),
  value: z.union([operand, z.array(operand).max(200, 'must contain at most 200 values')]).optional(),
});

const filters = z.array(filter).max(10, 'must contain at most 10 filters');

/** A condition on the cells of a column. */
export type CellFilter = z.output<typeof filter>;

/** Conditions on cells in a query string: a JSON list. */
export const filtersQuery = jsonQuery(filters, '[{"columnId":"…","operator":"EQUALS","value":"…"}]');

/** A column to sort by in a query string: its id, with `-` in front for the descending order. */
export const sortQuery = z
  .string()
  .regex(
    /^-?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
    'must be the id of a column, with "-" in front for the descending order',
  )
  .toLowerCase();

/** Text to search for in a query string. */
export const searchQuery = z
  .string()
  .trim()
  .max(200, 'must be at most 200 characters')
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');
