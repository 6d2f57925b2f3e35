import type { ProcessDocument, RuleAction, RuleCondition, RuleDefinition } from '@runward/engine';
import * as fc from 'fast-check';
import { frozen } from './documents.ts';

/** A rule that is not yet bound to a document. Its numbers select parts of that document. */
export interface RuleShape {
  readonly owner: number;
  readonly match: 'ALL' | 'ANY';
  readonly conditions: readonly { readonly pick: number; readonly operator: RuleCondition['operator'] }[];
  readonly actions: readonly {
    readonly type: RuleAction['type'];
    readonly pick: number;
    readonly onField: boolean;
    readonly flag: boolean;
  }[];
}

/** Up to six rules. */
export const ruleShapes: fc.Arbitrary<RuleShape[]> = fc.array(
  fc.record({
    owner: fc.nat({ max: 5 }),
    match: fc.constantFrom('ALL' as const, 'ANY' as const),
    conditions: fc.array(
      fc.record({
        pick: fc.nat({ max: 20 }),
        operator: fc.constantFrom(
          'EQUALS' as const,
          'NOT_EQUALS' as const,
          'IS_EMPTY' as const,
          'IS_NOT_EMPTY' as const,
        ),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    actions: fc.array(
      fc.record({
        type: fc.constantFrom('SHOW' as const, 'HIDE' as const, 'ASSIGN' as const, 'SET_VARIABLE' as const),
        pick: fc.nat({ max: 20 }),
        onField: fc.boolean(),
        flag: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  { maxLength: 6, size: 'max' },
);

/**
 * A document with rules that have no cycles. Each rule changes only tasks and fields after the last task that it reads.
 * Rules that read only the first task may set the variable `region`, which the others read.
 */
export function withRules(document: ProcessDocument, shapes: readonly RuleShape[]): ProcessDocument {
  const sources = document.tasks.flatMap(({ fields }, task) =>
    fields.flatMap(({ id, type }) => (type === 'TEXT' ? [{ task, fieldId: id }] : [])),
  );
  const bound = shapes.flatMap((shape, index): { readonly owner: number; readonly rule: RuleDefinition }[] => {
    const read = shape.conditions.map(({ pick }) => sources[pick % (sources.length + 1)] ?? null);
    const readsVariable = read.includes(null);
    const last = Math.max(0, ...read.map((source) => source?.task ?? 0));
    const conditions = read.map((source, position): RuleCondition => {
      const operator = shape.conditions[position]?.operator ?? 'IS_EMPTY';
      const reads = source
        ? { source: { type: 'FIELD', fieldId: source.fieldId } as const, operator, value: 'Ada' }
        : { source: { type: 'VARIABLE', key: 'region' } as const, operator, value: 'eu' };
      return operator === 'EQUALS' || operator === 'NOT_EQUALS' ? reads : { source: reads.source, operator };
    });
    const later = document.tasks.slice(last + 1);
    const laterFields = later.flatMap(({ fields }) => fields);
    const actions = shape.actions.flatMap((action): RuleAction[] => {
      const target = later[action.pick % Math.max(1, later.length)];
      if (action.type === 'SET_VARIABLE') {
        if (readsVariable || last > 0) return [];
        return [{ type: action.type, key: 'region', value: action.flag ? 'US' : null }];
      }
      if (!target) return [];
      if (action.type === 'ASSIGN') {
        return [{ type: action.type, taskId: target.id, assigneeId: 'grace', assigneeGroupId: null }];
      }
      const field = laterFields[action.pick % Math.max(1, laterFields.length)];
      return action.onField && field
        ? [{ type: action.type, taskIds: [], fieldIds: [field.id] }]
        : [{ type: action.type, taskIds: [target.id], fieldIds: [] }];
    });
    if (actions.length === 0) return [];
    return [{ owner: shape.owner, rule: { id: `rule-${index}`, name: null, match: shape.match, conditions, actions } }];
  });
  const tasks = document.tasks.map((task, index) => ({
    ...task,
    rules: bound.flatMap(({ owner, rule }) => (owner % document.tasks.length === index ? [rule] : [])),
  }));
  return frozen({ ...document, tasks });
}
