import type { ConditionValue } from '../process.ts';
import type { RuleOutcome, TracedEffect } from '../rules/evaluate.ts';
import type { Target } from '../rules/graph.ts';
import { isRetired, type RunState, type TaskState } from '../state.ts';
import { displayValue, type Display } from './display-value.ts';
import type { Reason } from './explain.ts';

/** Which rules hide or show a task, and which hide its fields. */
export function visibility(run: RunState, task: TaskState, outcome: RuleOutcome, display: Display): Reason[] {
  if (isRetired(task)) {
    return [
      {
        code: 'RETIRED',
        message: 'The version that the run follows now does not have this task; it stays to be read.',
      },
    ];
  }
  const fields = task.definition.fields.filter(({ id }) => task.hiddenFieldIds.includes(id));
  const parts: Part[] = [
    { target: `task:${task.definition.id}`, name: 'It', isHidden: task.hidden, ids: {} },
    ...fields.map(({ id, label }): Part => {
      return { target: `field:${id}`, name: `The field "${label}"`, isHidden: true, ids: { fieldIds: [id] } };
    }),
  ];
  return parts.flatMap((part) => ofPart(run, part, outcome, display));
}

/** A task or field that rules can hide: the start of a sentence about it, and its ids. */
interface Part {
  readonly target: Target;
  readonly name: string;
  readonly isHidden: boolean;
  readonly ids: Pick<Reason, 'fieldIds'>;
}

function ofPart(
  run: RunState,
  { target, name, isHidden, ids }: Part,
  outcome: RuleOutcome,
  display: Display,
): Reason[] {
  if (outcome.isHidden(target) !== isHidden) {
    const message = `${name} is ${isHidden ? 'hidden' : 'visible'} although its rules changed that after the run had ended; reopen it.`;
    return [{ code: 'RULES_NOT_APPLIED', message, ...ids }];
  }
  const effects = outcome.effectsOn(target);
  const winner = effects.findLast(({ matches }) => matches);
  if (winner) {
    const [code, verb] =
      winner.action.type === 'HIDE' ? (['HIDDEN_BY_RULE', 'hidden'] as const) : (['SHOWN_BY_RULE', 'shown'] as const);
    return [{ ...because(run, winner, `${name} is ${verb} by`, display), code, ...ids }];
  }
  const notShown = (effect: TracedEffect): Reason => ({
    ...because(run, effect, `${name} is hidden unless shown by`, display),
    code: 'NOT_SHOWN_BY_RULE',
    ...ids,
  });
  return effects.filter(({ action }) => action.type === 'SHOW').map(notShown);
}

/** Who a task is assigned to, and by whom: a person, a rule or the template. */
export function assignment(run: RunState, task: TaskState, outcome: RuleOutcome, display: Display): Reason[] {
  const { assigneeId, assigneeGroupId, assignedManually } = task;
  const assignee = assigneeId ?? assigneeGroupId;
  const ids = {
    ...(assigneeId !== null && { userId: assigneeId }),
    ...(assigneeGroupId !== null && { groupId: assigneeGroupId }),
  };
  if (assignee === null) {
    return assignedManually
      ? [{ code: 'UNASSIGNED_BY_HAND', message: 'It was assigned to no one by hand; rules leave it so.' }]
      : [];
  }
  const to = `It is assigned to ${display.nameOf(assignee)}`;
  if (assignedManually) return [{ code: 'ASSIGNED_BY_HAND', message: `${to} by hand; rules leave it so.`, ...ids }];
  const winner = outcome.effectsOn(`assignee:${task.definition.id}`).findLast(({ matches }) => matches);
  return winner
    ? [{ ...because(run, winner, `${to} by`, display), code: 'ASSIGNED_BY_RULE', ...ids }]
    : [{ code: 'ASSIGNED_BY_TEMPLATE', message: `${to} by the template.`, ...ids }];
}

/** Names a rule and the conditions that decide whether it matches, each with its current value. */
function because(
  run: RunState,
  { rule: { taskId, place, rule }, matches, conditions }: TracedEffect,
  beginning: string,
  display: Display,
): Omit<Reason, 'code'> {
  const title = run.document.tasks.find(({ id }) => id === taskId)?.title ?? taskId;
  const name = rule.name === null ? `rule ${place[1] + 1}` : `the rule "${rule.name}"`;
  const deciding = conditions.filter(({ isFulfilled }) => isFulfilled === matches);
  const texts = deciding.map(({ condition: { source, operator, value: expected }, value }) => {
    const part = partOf(run, source);
    const shown = (one: ConditionValue) => `"${displayValue(part, one as string, display) ?? ''}"`;
    const operands = expected === undefined ? [] : Array.isArray(expected) ? expected : [expected];
    const compared = [operator, operands.map(shown).join(', ')].filter((text) => text !== '').join(' ');
    const actual = displayValue(part, value, display);
    return `"${part.label}" ${compared} ${matches ? 'holds' : 'does not hold'} (it is ${actual === null ? 'empty' : `"${actual}"`})`;
  });
  return { message: `${beginning} ${name} of the task "${title}": ${texts.join('; ')}.`, ruleId: rule.id };
}

/** The field or variable that a condition reads. A variable is named by its key. */
function partOf({ document }: RunState, source: TracedEffect['conditions'][number]['condition']['source']) {
  if (source.type === 'FIELD') {
    const field = document.tasks.flatMap(({ fields }) => fields).find(({ id }) => id === source.fieldId);
    return field ?? { label: source.fieldId, type: 'TEXT' as const };
  }
  const variable = document.variables.find(({ key }) => key === source.key);
  return { label: variable?.name ?? source.key, type: variable?.type ?? ('TEXT' as const) };
}
