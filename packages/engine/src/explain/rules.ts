import type { RuleOutcome } from '../rules/evaluate.ts';
import type { Target } from '../rules/graph.ts';
import { isRetired, type TaskState } from '../state.ts';
import type { Display } from './display-value.ts';
import type { Reason } from './explain.ts';
import type { RuleReasons } from './rule-reasons.ts';

/** Which rules hide or show a task, and which hide its fields. */
export function visibility(task: TaskState, outcome: RuleOutcome, rules: RuleReasons): Reason[] {
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
  return parts.flatMap((part) => ofPart(part, outcome, rules));
}

/** A task or field that rules can hide: the start of a sentence about it, and its ids. */
interface Part {
  readonly target: Target;
  readonly name: string;
  readonly isHidden: boolean;
  readonly ids: Pick<Reason, 'fieldIds'>;
}

function ofPart({ target, name, isHidden, ids }: Part, outcome: RuleOutcome, rules: RuleReasons): Reason[] {
  if (outcome.isHidden(target) !== isHidden) {
    const message = `${name} is ${isHidden ? 'hidden' : 'visible'} although its rules changed that after the run had ended; reopen it.`;
    return [{ code: 'RULES_NOT_APPLIED', message, ...ids }];
  }
  const effects = outcome.effectsOn(target);
  const winner = effects.findLast(({ rule }) => outcome.matches(rule));
  if (winner) {
    const [code, verb] =
      winner.action.type === 'HIDE' ? (['HIDDEN_BY_RULE', 'hidden'] as const) : (['SHOWN_BY_RULE', 'shown'] as const);
    return [rules.because(winner.rule, `${name} is ${verb} by`, { code, ...ids })];
  }
  const showing = effects.filter(({ action }) => action.type === 'SHOW').map(({ rule }) => rule);
  return rules.unlessShownBy(showing, `${name} is hidden unless shown by`, { code: 'NOT_SHOWN_BY_RULE', ...ids });
}

/** Who a task is assigned to, and by whom: a person, a rule or the template. */
export function assignment(task: TaskState, outcome: RuleOutcome, rules: RuleReasons, display: Display): Reason[] {
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
  const winner = outcome.effectsOn(`assignee:${task.definition.id}`).findLast(({ rule }) => outcome.matches(rule));
  return winner
    ? [rules.because(winner.rule, `${to} by`, { code: 'ASSIGNED_BY_RULE', ...ids })]
    : [{ code: 'ASSIGNED_BY_TEMPLATE', message: `${to} by the template.`, ...ids }];
}
