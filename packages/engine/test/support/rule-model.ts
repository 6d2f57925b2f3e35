import type { FieldValue } from '@runward/contract';
import type {
  ProcessDocument,
  RuleAction,
  RuleCondition,
  RuleDefinition,
  RunState,
  VariableValue,
} from '@runward/engine';

/** The result of the rules of a document: hidden tasks and fields, variables, and assignments by task. */
export interface RuleState {
  readonly hidden: ReadonlySet<string>;
  readonly variables: Readonly<Record<string, VariableValue>>;
  readonly assignees: ReadonlyMap<string, string | null>;
}

/**
 * A model of the rules that does not need an order: it starts with no matches and applies all rules repeatedly until
 * nothing changes. It knows EQUALS, NOT_EQUALS, IS_EMPTY and IS_NOT_EMPTY for text.
 */
export function rulesApplied(document: ProcessDocument, run: RunState): RuleState {
  const rules = document.tasks.flatMap((task) => task.rules);
  let state = outcomeOf(document, run, rules, () => false);
  for (let round = 0; round <= rules.length; round += 1) {
    const seen = state;
    state = outcomeOf(document, run, rules, (rule) => matches(document, run, rule, seen));
  }
  return state;
}

function outcomeOf(
  document: ProcessDocument,
  run: RunState,
  rules: readonly RuleDefinition[],
  isMatch: (rule: RuleDefinition) => boolean,
): RuleState {
  const all = rules.flatMap((rule) => rule.actions);
  const hidden = new Set(all.flatMap((action) => (action.type === 'SHOW' ? named(action) : [])));
  const variables = Object.fromEntries(
    document.variables.map(({ key, type, defaultValue }) => {
      const value = Object.hasOwn(run.variables, key) ? (run.variables[key] ?? null) : defaultValue;
      return [key, value === null || typeof value === typeNames[type] ? value : defaultValue];
    }),
  );
  const assignees = new Map(document.tasks.map((task) => [task.id, task.assigneeId]));
  for (const action of rules.filter(isMatch).flatMap((rule) => rule.actions)) {
    if (action.type === 'SHOW') for (const id of named(action)) hidden.delete(id);
    if (action.type === 'HIDE') for (const id of named(action)) hidden.add(id);
    if (action.type === 'SET_VARIABLE') variables[action.key] = action.value;
    if (action.type === 'ASSIGN') assignees.set(action.taskId, action.assigneeId);
  }
  return { hidden, variables, assignees };
}

const typeNames = { TEXT: 'string', NUMBER: 'number', BOOLEAN: 'boolean', DATE: 'string' };

function named(action: Extract<RuleAction, { type: 'SHOW' | 'HIDE' }>): string[] {
  return [...action.taskIds, ...action.fieldIds];
}

function matches(document: ProcessDocument, run: RunState, rule: RuleDefinition, state: RuleState): boolean {
  const results = rule.conditions.map((condition) => isFulfilled(condition, valueOf(document, run, condition, state)));
  return rule.match === 'ALL' ? results.every(Boolean) : results.some(Boolean);
}

function isFulfilled({ operator, value: expected }: RuleCondition, value: FieldValue | VariableValue): boolean {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (operator === 'IS_EMPTY') return text === '';
  if (operator === 'IS_NOT_EMPTY') return text !== '';
  const isSame = text === String(expected).toLowerCase();
  return operator === 'EQUALS' ? isSame : !isSame;
}

function valueOf(document: ProcessDocument, run: RunState, { source }: RuleCondition, state: RuleState) {
  if (source.type === 'VARIABLE') return state.variables[source.key] ?? null;
  const owner = document.tasks.find((task) => task.fields.some(({ id }) => id === source.fieldId));
  if (!owner || state.hidden.has(owner.id) || state.hidden.has(source.fieldId)) return null;
  const entries = run.tasks.find((task) => task.definition.id === owner.id)?.entries ?? [];
  const submitted = entries.flatMap((entry) => entry.values.filter(({ fieldId }) => fieldId === source.fieldId));
  return submitted.at(-1)?.value ?? null;
}
