import type { FieldValue } from '@runward/contract';
import type { ProcessDocument, RuleAction, RuleCondition, VariableValue } from '../process.ts';
import { graphOf, sourceOf, type PlacedRule, type Target } from './graph.ts';
import { fulfils } from './operators.ts';

/** What rules read of a run, besides what other rules have changed. */
export interface RuleInput {
  /** The value of a field; null if it has none. */
  valueOf(fieldId: string): FieldValue;
  /** The values of the variables at launch. */
  readonly variables: Readonly<Record<string, VariableValue>>;
}

/** What the rules of a document result in for an input. */
export interface RuleOutcome {
  /** Whether rules hide a task or a field. */
  isHidden(target: Target): boolean;
  /** Whom the rules assign a task to; null if no rule that matches does. */
  assignmentOf(taskId: string): Extract<RuleAction, { type: 'ASSIGN' }> | null;
  /** The value that rules give a variable; undefined if no rule that matches does. */
  variableOf(key: string): VariableValue | undefined;
  /** Whether a rule of the document's graph matches. */
  matches(rule: PlacedRule): boolean;
  /** What each rule on a target does and why, in the order of the document: of those that match, the last one wins. */
  effectsOn(target: Target): readonly TracedEffect[];
}

/** An action of a rule on a target, whether the rule matches, and each of its conditions with the value that it reads. */
export interface TracedEffect {
  readonly rule: PlacedRule;
  readonly action: RuleAction;
  readonly matches: boolean;
  readonly conditions: readonly {
    readonly condition: RuleCondition;
    readonly value: FieldValue;
    readonly isFulfilled: boolean;
  }[];
}

/**
 * Evaluates the rules of a document. The outcome is a pure function of the input and is computed as far as it is asked for: a question
 * visits only the rules that its answer depends on, each at most once. Among the matching rules on a target the last in the document
 * wins. A task or field that a SHOW names is hidden until a rule shows it. Rules that depend on themselves, which publishing rejects, do
 * not match.
 */
export function evaluate(document: ProcessDocument, input: RuleInput): RuleOutcome {
  const { effects, taskOfField, kinds } = graphOf(document);
  const matched = new Map<PlacedRule, boolean>();

  const winner = (target: Target): RuleAction | null =>
    effects.get(target)?.findLast(({ rule }) => matches(rule))?.action ?? null;

  const isHidden = (target: Target): boolean => {
    const action = winner(target);
    if (action) return action.type === 'HIDE';
    return effects.get(target)?.some((effect) => effect.action.type === 'SHOW') ?? false;
  };

  const variableOf = (key: string): VariableValue | undefined => {
    const action = winner(`variable:${key}`);
    return action?.type === 'SET_VARIABLE' ? action.value : undefined;
  };

  const read = ({ source }: RuleCondition): FieldValue => {
    if (source.type === 'VARIABLE') {
      const given = variableOf(source.key);
      return given === undefined ? (input.variables[source.key] ?? null) : given;
    }
    const taskId = taskOfField.get(source.fieldId);
    if (taskId === undefined || isHidden(`task:${taskId}`) || isHidden(`field:${source.fieldId}`)) return null;
    return input.valueOf(source.fieldId);
  };

  const isFulfilled = (condition: RuleCondition): boolean => {
    const kind = kinds.get(sourceOf(condition));
    return kind !== undefined && fulfils(kind, condition.operator, read(condition), condition.value);
  };

  function matches(placed: PlacedRule): boolean {
    const known = matched.get(placed);
    if (known !== undefined) return known;
    // While a rule is evaluated it counts as not matching, so that evaluation always ends.
    matched.set(placed, false);
    const { match, conditions } = placed.rule;
    const result = match === 'ALL' ? conditions.every(isFulfilled) : conditions.some(isFulfilled);
    matched.set(placed, result);
    return result;
  }

  return {
    isHidden,
    variableOf,
    matches,
    effectsOn: (target) =>
      (effects.get(target) ?? []).map(({ rule, action }) => ({
        rule,
        action,
        matches: matches(rule),
        conditions: rule.rule.conditions.map((condition) => ({
          condition,
          value: read(condition),
          isFulfilled: isFulfilled(condition),
        })),
      })),
    assignmentOf: (taskId) => {
      const action = winner(`assignee:${taskId}`);
      return action?.type === 'ASSIGN' ? action : null;
    },
  };
}
