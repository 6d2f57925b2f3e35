import type { ProcessDocument, RuleAction, RuleCondition, RuleDefinition } from '../process.ts';
import { comparisonOf, type ComparisonKind } from './operators.ts';

/** What a rule can change: the visibility of a task or field, the assignee of a task, or the value of a variable. */
export type Target = `task:${string}` | `field:${string}` | `assignee:${string}` | `variable:${string}`;

/** An action of a rule on one target. */
export interface Effect {
  readonly rule: PlacedRule;
  readonly action: RuleAction;
}

/** A rule with its place in the document. */
export interface PlacedRule {
  readonly taskId: string;
  /** The index of the task, and of the rule in the task. */
  readonly place: readonly [task: number, rule: number];
  readonly rule: RuleDefinition;
}

/** The rules of a document, indexed by what they read and what they change. */
export interface RuleGraph {
  readonly rules: readonly PlacedRule[];
  /** The task of each field. */
  readonly taskOfField: ReadonlyMap<string, string>;
  /** How the value of each field and variable compares. */
  readonly kinds: ReadonlyMap<Target, ComparisonKind>;
  /** The effects on each target, in document order. Among the matching rules the last one wins. */
  readonly effects: ReadonlyMap<Target, readonly Effect[]>;
  /** The rules that read a target: the field, a field of the task, or the variable. */
  readonly readers: ReadonlyMap<Target, readonly PlacedRule[]>;
}

const graphs = new WeakMap<ProcessDocument, RuleGraph>();

/** The rule graph of a document, computed once per document. */
export function graphOf(document: ProcessDocument): RuleGraph {
  const known = graphs.get(document);
  if (known) return known;
  const graph = build(document);
  graphs.set(document, graph);
  return graph;
}

/** The targets of an action. */
export function targetsOf(action: RuleAction): Target[] {
  switch (action.type) {
    case 'SHOW':
    case 'HIDE':
      return [
        ...action.taskIds.map((id): Target => `task:${id}`),
        ...action.fieldIds.map((id): Target => `field:${id}`),
      ];
    case 'ASSIGN':
      return [`assignee:${action.taskId}`];
    case 'SET_VARIABLE':
      return [`variable:${action.key}`];
  }
}

/** The field or variable that a condition reads. */
export function sourceOf({ source }: RuleCondition): Target {
  return source.type === 'VARIABLE' ? `variable:${source.key}` : `field:${source.fieldId}`;
}

/**
 * The targets that a condition depends on: the value of a field also depends on the visibility of the field and its
 * task.
 */
export function sourcesOf(condition: RuleCondition, taskOfField: ReadonlyMap<string, string>): Target[] {
  const { source } = condition;
  const taskId = source.type === 'FIELD' ? taskOfField.get(source.fieldId) : undefined;
  return taskId === undefined ? [sourceOf(condition)] : [sourceOf(condition), `task:${taskId}`];
}

/** All targets that can change if these fields or variables change. */
export function affectedBy({ readers }: RuleGraph, changed: Iterable<Target>): Set<Target> {
  const affected = new Set<Target>();
  const pending = [...changed];
  for (let source = pending.pop(); source !== undefined; source = pending.pop()) {
    for (const { rule } of readers.get(source) ?? []) {
      for (const target of rule.actions.flatMap(targetsOf)) {
        if (affected.has(target)) continue;
        affected.add(target);
        pending.push(target);
      }
    }
  }
  return affected;
}

function build({ tasks, variables }: ProcessDocument): RuleGraph {
  const taskOfField = new Map(tasks.flatMap((task) => task.fields.map((field) => [field.id, task.id] as const)));
  const rules = tasks.flatMap((task, taskIndex) =>
    task.rules.map((rule, index): PlacedRule => ({ taskId: task.id, place: [taskIndex, index], rule })),
  );
  const kinds = new Map<Target, ComparisonKind>(
    variables.map(({ key, type }) => [`variable:${key}`, comparisonOf(type)]),
  );
  for (const { fields } of tasks) for (const { id, type } of fields) kinds.set(`field:${id}`, comparisonOf(type));
  const effects = new Map<Target, Effect[]>();
  const readers = new Map<Target, PlacedRule[]>();
  for (const placed of rules) {
    for (const action of placed.rule.actions) {
      for (const target of targetsOf(action)) append(effects, target, { rule: placed, action });
    }
    const sources = placed.rule.conditions.flatMap((condition) => sourcesOf(condition, taskOfField));
    for (const source of new Set(sources)) append(readers, source, placed);
  }
  return { rules, taskOfField, kinds, effects, readers };
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
