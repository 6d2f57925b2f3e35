/** The SQL operators of comparisons, by their names in filters. */
export const comparisonSigns = {
  EQUALS: '=',
  GREATER_THAN: '>',
  AFTER: '>',
  LESS_THAN: '<',
  BEFORE: '<',
  GREATER_OR_EQUAL: '>=',
  LESS_OR_EQUAL: '<=',
} as const;
