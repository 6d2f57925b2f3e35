import { maximumValueFilters } from '@runward/contract';
import { takesNoValue } from '@runward/engine';
import type { RunValueFilter, SearchableField } from '@runward/sdk';
import { z } from 'zod';
import { html, type Child, type Markup } from '../../html.ts';
import { select } from '../forms/select.ts';

const operators: Readonly<Record<RunValueFilter['operator'], string>> = {
  EQUALS: 'is',
  CONTAINS: 'contains',
  IN: 'is one of',
  GREATER_THAN: 'is more than',
  LESS_THAN: 'is less than',
  GREATER_OR_EQUAL: 'is at least',
  LESS_OR_EQUAL: 'is at most',
  BEFORE: 'is before',
  AFTER: 'is after',
  IS_EMPTY: 'is empty',
  IS_NOT_EMPTY: 'is not empty',
};

const operand = z.union([z.string(), z.number(), z.boolean()]);
/** What the form can show of the parameter `values` of a URL. The endpoint says what is wrong with it. */
const shownConditions = z.array(
  z.object({
    fieldId: z.string().optional(),
    variable: z.string().optional(),
    operator: z.string(),
    value: z.union([operand, z.array(operand)]).optional(),
  }),
);
type ShownCondition = z.output<typeof shownConditions>[number];

/** The parameters of the form, one of each per condition. */
const [sourceName, operatorName, textName] = ['valueSource', 'valueOperator', 'valueText'];

/**
 * The conditions of a form, as the parameter `values` of the API. Empty if no field was chosen, and null if there was
 * no such form. The endpoint rejects what does not fit.
 */
export function typedValues(fields: URLSearchParams): string | null {
  const [sources, chosen, texts] = [sourceName, operatorName, textName].map((name) => fields.getAll(name));
  if (!sources || sources.length === 0) return null;
  const conditions = sources.flatMap((source, index) =>
    source === '' ? [] : [conditionOf(source, chosen?.[index] ?? '', texts?.[index]?.trim() ?? '')],
  );
  return conditions.length === 0 ? '' : JSON.stringify(conditions);
}

function conditionOf(source: string, operator: string, text: string) {
  const [, type = '', sign = '', name = ''] = /^([A-Z_]*):(\$?)(.*)$/s.exec(source) ?? [];
  const place = sign === '$' ? { variable: name } : { fieldId: name };
  if (takesNoValue(operator)) return { ...place, operator };
  const value = operator === 'IN' ? text.split(',').map((each) => valueOf(type, each.trim())) : valueOf(type, text);
  return { ...place, operator, value };
}

/** A text that does not fit stays a text: the service says what is wrong with it. */
function valueOf(type: string, text: string): string | number | boolean {
  if (type === 'NUMBER' && text !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'CHECKBOX' || type === 'BOOLEAN')
    return { yes: true, true: true, no: false, false: false }[text] ?? text;
  return text;
}

/** The fields of the form for conditions on values: those that are set, and one more while there is room. */
export function valueFields(values: string | undefined, searchable: readonly SearchableField[]): Child {
  const conditions = conditionsIn(values);
  if (searchable.length === 0)
    return values !== undefined && html`<input type="hidden" name="values" value="${values}" />`;
  const typeOf = new Map(searchable.map((field) => [placeOf(field), field.type]));
  const several = new Set(searchable.map(({ templateId }) => templateId)).size > 1;
  const options = [...new Map(searchable.map((field) => [placeOf(field), field])).values()].map((field) => ({
    value: `${field.type}:${placeOf(field)}`,
    text: several ? `${field.name} (${field.templateName})` : field.name,
  }));
  const rows: readonly (ShownCondition | null)[] = [...conditions, null].slice(0, maximumValueFilters);
  return rows.map((condition, index): Markup => {
    const place = condition === null ? '' : placeOf(condition);
    return html`<div class="fields" role="group" aria-label="Value ${String(index + 1)}">
      ${select({
        id: `value-source-${index}`,
        name: sourceName,
        label: 'Value of',
        options,
        value: condition === null ? '' : `${typeOf.get(place) ?? ''}:${place}`,
        none: 'Nothing',
      })}
      ${select({
        id: `value-operator-${index}`,
        name: operatorName,
        label: 'Comparison',
        options: Object.entries(operators).map(([value, text]) => ({ value, text })),
        value: condition?.operator ?? 'EQUALS',
      })}
      <div class="field">
        <label for="value-text-${String(index)}">Value</label>
        <input id="value-text-${String(index)}" name="${textName}" type="text" value="${textOf(condition?.value)}" />
      </div>
    </div>`;
  });
}

function placeOf({ fieldId, variable }: Pick<SearchableField, 'fieldId' | 'variable'> | ShownCondition): string {
  return fieldId ?? `$${variable ?? ''}`;
}

function textOf(value: ShownCondition['value']): string {
  return [value ?? []].flat().join(', ');
}

function conditionsIn(values: string | undefined): readonly ShownCondition[] {
  try {
    return shownConditions.safeParse(JSON.parse(values ?? '[]')).data ?? [];
  } catch {
    return [];
  }
}
