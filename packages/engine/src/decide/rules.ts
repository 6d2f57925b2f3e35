import type { FieldValue } from '@runward/contract';
import type { Fact } from '../facts.ts';
import type { ProcessDocument, VariableValue } from '../process.ts';
import { evaluate, type RuleOutcome } from '../rules/evaluate.ts';
import { affectedBy, graphOf, type Target } from '../rules/graph.ts';
import { givenVariables, isActive, isRetired, newestValue, type RunState, type TaskState } from '../state.ts';
import type { Clock, Instant } from '../time.ts';

/**
 * What the rules change after a command. Evaluates only rules that depend on changed values, or all rules if the rules
 * have changed. The result equals an evaluation of all rules.
 */
export function ruleChanges(before: RunState, run: RunState, { now }: Clock): Fact[] {
  const targets = affectedTargets(before, run);
  if (targets.size === 0) return [];
  const tasks = tasksOf(run);
  const { taskOfField } = graphOf(run.document);
  const outcome = outcomeOf(run);
  return [...targets].flatMap((target): Fact[] => {
    const [kind, name] = parsed(target);
    if (kind === 'variable') return variableChange(run, name, outcome, now);
    const task = tasks.get(kind === 'field' ? (taskOfField.get(name) ?? '') : name);
    if (!task) return [];
    if (kind === 'assignee') return assigneeChange(task, outcome, now);
    const isHidden = outcome.isHidden(target);
    return kind === 'task' ? taskChange(task, isHidden, now) : fieldChange(task, name, isHidden, now);
  });
}

/** What the rules of a run result in, by the values that it has now. */
export function outcomeOf(run: RunState): RuleOutcome {
  const tasks = tasksOf(run);
  const { taskOfField } = graphOf(run.document);
  const valueOf = (fieldId: string) => {
    const task = tasks.get(taskOfField.get(fieldId) ?? '');
    return task ? currentValue(task, fieldId) : null;
  };
  return evaluate(run.document, { valueOf, variables: givenVariables(run) });
}

/** The effects of the rules on a task at launch, before any value is submitted. */
export function rulesAtLaunch(document: ProcessDocument, variables: Readonly<Record<string, VariableValue>>) {
  const { effects } = graphOf(document);
  const outcome = evaluate(document, { valueOf: () => null, variables });
  const set = [...effects.keys()].flatMap((target) => {
    const [kind, key] = parsed(target);
    const value = kind === 'variable' ? outcome.variableOf(key) : undefined;
    return value === undefined ? [] : [[key, value] as const];
  });
  return { outcome, ruleVariables: Object.fromEntries(set) };
}

function affectedTargets(before: RunState, run: RunState): ReadonlySet<Target> {
  const isReopened = !isActive(before) && isActive(run);
  if (before.document !== run.document || isReopened) return allTargets(before, run);
  const graph = graphOf(run.document);
  return graph.rules.length === 0 ? new Set() : affectedBy(graph, changedFields(before, run));
}

/** Everything that the rules could change, before the command or after it. */
function allTargets(before: RunState, run: RunState): ReadonlySet<Target> {
  const parts = run.document.tasks.flatMap(({ id, fields }): Target[] => [
    `task:${id}`,
    `assignee:${id}`,
    ...fields.map((field): Target => `field:${field.id}`),
  ]);
  const variables = Object.keys(before.ruleVariables).map((key): Target => `variable:${key}`);
  return new Set([...parts, ...variables, ...graphOf(run.document).effects.keys()]);
}

/** The tasks that rules apply to, by the id of their definition. */
function tasksOf({ tasks }: RunState): ReadonlyMap<string, TaskState> {
  return new Map(tasks.filter((task) => !isRetired(task)).map((task) => [task.definition.id, task]));
}

/** The fields whose value may have changed for the rules. An unchanged task is the same object. */
function changedFields(before: RunState, run: RunState): Target[] {
  return run.tasks.flatMap((task, index) => {
    const previous = before.tasks[index];
    if (!previous || previous.entries === task.entries) return [];
    return task.definition.fields.flatMap(({ id }): Target[] =>
      currentValue(previous, id) === currentValue(task, id) ? [] : [`field:${id}`],
    );
  });
}

function currentValue(task: TaskState, fieldId: string): FieldValue {
  return newestValue(task, fieldId)?.value ?? null;
}

function taskChange({ id: runTaskId, hidden }: TaskState, isHidden: boolean, now: Instant): Fact[] {
  return hidden === isHidden ? [] : [{ type: isHidden ? 'task.hidden' : 'task.shown', at: now, runTaskId }];
}

function fieldChange({ id: runTaskId, hiddenFieldIds }: TaskState, fieldId: string, isHidden: boolean, now: Instant) {
  if (hiddenFieldIds.includes(fieldId) === isHidden) return [];
  return [{ type: isHidden ? ('field.hidden' as const) : ('field.shown' as const), at: now, runTaskId, fieldId }];
}

function assigneeChange(task: TaskState, outcome: RuleOutcome, now: Instant): Fact[] {
  if (task.assignedManually) return [];
  const { assigneeId, assigneeGroupId } = outcome.assignmentOf(task.definition.id) ?? task.definition;
  const isSame = task.assigneeId === assigneeId && task.assigneeGroupId === assigneeGroupId;
  return isSame
    ? []
    : [{ type: 'task.assigned', at: now, runTaskId: task.id, assigneeId, assigneeGroupId, byRule: true }];
}

function variableChange(run: RunState, key: string, outcome: RuleOutcome, now: Instant): Fact[] {
  const value = outcome.variableOf(key);
  if (value === undefined) {
    return Object.hasOwn(run.ruleVariables, key) ? [{ type: 'variable.reset', at: now, key }] : [];
  }
  return run.ruleVariables[key] === value ? [] : [{ type: 'variable.set', at: now, key, value }];
}

function parsed(target: Target): [kind: string, name: string] {
  const end = target.indexOf(':');
  return [target.slice(0, end), target.slice(end + 1)];
}
