import type { FieldValue } from '@runward/contract';
import type { ProcessDocument, RuleAction, RuleCondition, VariableValue } from '../process.ts';
import { caseFolded } from '../text.ts';
import { graphOf, sourceOf, type Effect, type PlacedRule, type Target } from './graph.ts';
import { fulfils } from './operators.ts';

/** The input of the rules: the values that the run has before any rule changes them. */
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
  /** The assignment that a matching rule makes for a task; null if there is none. */
  assignmentOf(taskId: string): Extract<RuleAction, { type: 'ASSIGN' }> | null;
  /** The value that a matching rule sets for a variable; undefined if there is none. */
  variableOf(key: string): VariableValue | undefined;
  /** Whether a rule of the document's graph matches. */
  matches(rule: PlacedRule): boolean;
  /** The effects on a target, in document order. Among the matching rules the last one wins. */
  effectsOn(target: Target): readonly Effect[];
  /** The conditions of a rule, each with the value that it reads. */
  conditionsOf(rule: PlacedRule): readonly TracedCondition[];
}

/** A condition with the value that it reads. */
export interface TracedCondition {
  readonly condition: RuleCondition;
  readonly value: FieldValue;
  readonly isFulfilled: boolean;
}

/**
 * Evaluates the rules of a document. The result depends only on the input.
 *
 * Evaluation is lazy: a question visits only the rules that its result depends on, each at most once. Among the
 * matching rules on a target, the last in the document wins. A task or field that a SHOW names is hidden until a rule
 * shows it. Rules in a cycle, which publishing rejects, do not match.
 */
export function evaluate(document: ProcessDocument, input: RuleInput): RuleOutcome {
  const { effects, taskOfField, kinds } = graphOf(document);
  const matched = new Map<PlacedRule, boolean>();
  // Texts can be long, and many conditions can compare the same one.
  const folded = new Map<string, string>();
  const fold = (text: string): string => {
    const known = folded.get(text) ?? caseFolded(text);
    folded.set(text, known);
    return known;
  };

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
    return kind !== undefined && fulfils(kind, condition.operator, read(condition), condition.value, fold);
  };

  function matches(placed: PlacedRule): boolean {
    const known = matched.get(placed);
    if (known !== undefined) return known;
    // A rule does not match while it is being evaluated, so that a cycle ends.
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
    effectsOn: (target) => effects.get(target) ?? [],
    conditionsOf: ({ rule }) =>
      rule.conditions.map((condition) => ({
        condition,
        value: read(condition),
        isFulfilled: isFulfilled(condition),
      })),
    assignmentOf: (taskId) => {
      const action = winner(`assignee:${taskId}`);
      return action?.type === 'ASSIGN' ? action : null;
    },
  };
}
