import { formats, type ValueFilter } from '@runward/contract';
import { comparableDate, exactMark, sourceOfVariable, textsContaining, textsEqualTo } from '@runward/engine';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { comparisonSigns } from '../../../database/comparison-signs.ts';
import { patternOf } from '../../../database/like.ts';

/** A run: expressions for its id and its template. */
interface Run {
  readonly id: RawBuilder<unknown>;
  readonly templateId: RawBuilder<unknown>;
}

/** The source of a filter in the tables `searchable_fields` and `searchable_values`. */
export function sourceOf({ fieldId, variable }: ValueFilter): string {
  return fieldId ?? sourceOfVariable(variable ?? '');
}

/** The conditions that a run has values. */
export function valueConditions(
  organizationId: string,
  run: Run,
  filters: readonly ValueFilter[] = [],
): RawBuilder<SqlBool>[] {
  return filters.map((filter) => {
    const source = sourceOf(filter);
    const having = (condition: RawBuilder<unknown>) => sql<SqlBool>`${run.id} in (
      select value.run_id from searchable_values value
      where value.organization_id = ${organizationId} and value.source = ${source} and ${condition})`;
    if (filter.operator !== 'IS_EMPTY') return having(matching(filter));
    return sql<SqlBool>`(not ${having(sql`true`)} and ${run.templateId} in (
      select field.template_id from searchable_fields field
      where field.organization_id = ${organizationId} and field.source = ${source} and field.status = 'READY'))`;
  });
}

/** The condition on a row of `searchable_values` (alias `value`). */
function matching({ operator, value }: ValueFilter): RawBuilder<unknown> {
  switch (operator) {
    case 'EQUALS':
    case 'IN': {
      const values = [value ?? []].flat();
      const numbers = values.filter((one) => typeof one === 'number');
      if (numbers.length > 0) return sql`value.number = any(${numbers}::double precision[])`;
      const texts = values.flatMap((one) => (typeof one === 'number' ? [] : [one, stored(one)].flatMap(textsEqualTo)));
      return sql`value.text = any(${texts}::text[])`;
    }
    case 'CONTAINS': {
      const { key, part } = textsContaining(String(value));
      return sql`(value.text = ${key} or (value.text like ${patternOf(part)} and value.text not like ${`${exactMark}%`}))`;
    }
    case 'IS_EMPTY':
    case 'IS_NOT_EMPTY':
      return sql`true`;
    default: {
      const comparison = sql.raw(comparisonSigns[operator]);
      return typeof value === 'number'
        ? sql`value.number ${comparison} ${value}`
        : sql`value.text ${comparison} ${comparableDate(String(stored(value)))}`;
    }
  }
}

/** An id or a timestamp in the form in which values are stored; any other value as it is. */
function stored<Value>(value: Value): Value | string {
  if (typeof value !== 'string') return value;
  return formats.isId(value) ? value.toLowerCase() : (formats.utc(value) ?? value);
}
