import type { ProcessDocument, TaskDefinition } from '../process.ts';
import { graphOf, type PlacedRule, type Target } from '../rules/graph.ts';
import { ruleName } from '../template/validate.ts';
import { isVisible, outcomeOf, type DomainSpace } from './outcomes.ts';
import { search, type Question } from './search.ts';
import type { Walk } from './walk.ts';

/**
 * A finding of a simulation. An error is certain and prevents work from being done. A warning is probably a mistake, or
 * not certain.
 */
export interface Finding {
  readonly severity: 'ERROR' | 'WARNING' | 'NOTE';
  readonly kind:
    | 'NO_TASK_AT_LAUNCH'
    | 'TASK_NEVER_VISIBLE'
    | 'FIELD_NEVER_VISIBLE'
    | 'RULE_NEVER_MATCHES'
    | 'RULE_ALWAYS_MATCHES'
    | 'TASK_CANNOT_BE_COMPLETED';
  /** The task concerned, or the task of the field or rule. Null if the finding is about the whole run. */
  readonly taskId: string | null;
  readonly fieldId: string | null;
  readonly ruleId: string | null;
  /** What is wrong, then what to do. */
  readonly message: string;
}

/**
 * Searches the cases of one question after another. The questions share a budget, so that a document with many hard
 * questions ends in time.
 */
export type Ask = <Result>(
  question: Question<Result>,
  isAnswer: (result: Result) => boolean,
) => Generator<number, Answer>;

/** Whether a case was found. `none` is certain; `none in the sample` is not. */
export type Answer = 'found' | 'none' | 'none in the sample';

/** The {@link Ask} of a space. */
export function asking(space: DomainSpace): Ask {
  let left = space.limit * 10;
  return function* ask(question, isAnswer) {
    let isFound = false;
    const limit = Math.min(space.limit, Math.max(left, space.limit / 20));
    const { complete, tried } = yield* search({ ...space, limit }, question, ({ result }) => {
      isFound = isAnswer(result);
      return isFound;
    });
    left -= tried;
    return isFound ? 'found' : complete ? 'none' : 'none in the sample';
  };
}

/** Findings about what the rules can never lead to, or always lead to, for any input and any launch. */
export function* unreachable(document: ProcessDocument, ask: Ask): Generator<number, Finding[]> {
  const found: Finding[] = yield* emptyLaunch(document, ask);
  for (const task of document.tasks) {
    const answer = yield* visible(document, `task:${task.id}`, ask);
    if (answer !== 'found') found.push(neverVisible(task, answer));
    else found.push(...(yield* unreachableFields(document, task, ask)));
  }
  for (const placed of graphOf(document).rules) {
    const isMatch: Question<boolean> = (read) => outcomeOf(document, read).matches(placed);
    const matches = yield* ask(isMatch, (result) => result);
    const fails = matches === 'found' ? yield* ask(isMatch, (result) => !result) : 'found';
    if (matches !== 'found') found.push(ruleFinding(document, placed, 'RULE_NEVER_MATCHES', matches));
    else if (fails !== 'found') found.push(ruleFinding(document, placed, 'RULE_ALWAYS_MATCHES', fails));
  }
  return found;
}

/** The tasks that a run could not get past. */
export function stuckTasks(walks: readonly Walk[]): Finding[] {
  const stuck = new Map(walks.flatMap((walk) => walk.stuck.map(({ task, rejection }) => [task, rejection] as const)));
  return [...stuck].map(([{ id, title }, { message }]) => ({
    severity: 'ERROR',
    kind: 'TASK_CANNOT_BE_COMPLETED',
    taskId: id,
    fieldId: null,
    ruleId: null,
    message: `The task "${title}" cannot be completed, nor can a run that requires it. ${message}`,
  }));
}

function* emptyLaunch(document: ProcessDocument, ask: Ask): Generator<number, Finding[]> {
  const { effects } = graphOf(document);
  if (document.tasks.some(({ id }) => !effects.has(`task:${id}`))) return [];
  const answer = yield* ask<boolean>(
    (read) => {
      const outcome = outcomeOf(document, (input) => (input.startsWith('variable:') ? read(input) : null));
      return document.tasks.every(({ id }) => outcome.isHidden(`task:${id}`));
    },
    (isEmpty) => isEmpty,
  );
  if (answer !== 'found') return [];
  const message =
    'A run can begin without a visible task, so that nobody can work on it and it never completes by itself; ' +
    'let one task be visible at launch.';
  return [{ severity: 'ERROR', kind: 'NO_TASK_AT_LAUNCH', taskId: null, fieldId: null, ruleId: null, message }];
}

function* visible(document: ProcessDocument, target: Target, ask: Ask): Generator<number, Answer> {
  return yield* ask<boolean>(
    (read) => isVisible(document, outcomeOf(document, read), target),
    (isShown) => isShown,
  );
}

function neverVisible(task: TaskDefinition, answer: Answer): Finding {
  const remedy = 'change the conditions of the rules that show or hide it, or remove the task';
  return {
    ...about(task),
    severity: answer === 'none' ? 'ERROR' : 'WARNING',
    kind: 'TASK_NEVER_VISIBLE',
    message: `The task "${task.title}" is never visible${within(answer)}; ${remedy}.`,
  };
}

function* unreachableFields(document: ProcessDocument, task: TaskDefinition, ask: Ask): Generator<number, Finding[]> {
  const found: Finding[] = [];
  for (const { id, label, required } of task.fields) {
    if (!graphOf(document).effects.has(`field:${id}`)) continue;
    const answer = yield* visible(document, `field:${id}`, ask);
    if (answer === 'found') continue;
    const [name, severity] = required ? (['required field', 'ERROR'] as const) : (['field', 'NOTE'] as const);
    const remedy = 'change the conditions of the rules that show or hide it, or remove the field';
    found.push({
      ...about(task),
      fieldId: id,
      severity: answer === 'none' || severity === 'NOTE' ? severity : 'WARNING',
      kind: 'FIELD_NEVER_VISIBLE',
      message: `The ${name} "${label}" of the task "${task.title}" is never visible${within(answer)}; ${remedy}.`,
    });
  }
  return found;
}

function ruleFinding(
  document: ProcessDocument,
  placed: PlacedRule,
  kind: 'RULE_NEVER_MATCHES' | 'RULE_ALWAYS_MATCHES',
  answer: Answer,
): Finding {
  const [what, remedy] =
    kind === 'RULE_NEVER_MATCHES'
      ? ['never matches', 'change its conditions or remove the rule']
      : ['always matches', 'change its conditions, or change the template to what the rule does'];
  return {
    severity: 'WARNING',
    kind,
    taskId: placed.taskId,
    fieldId: null,
    ruleId: placed.rule.id,
    message: `The ${ruleName(document, placed)} ${what}${within(answer)}; ${remedy}.`,
  };
}

function within(answer: Answer): string {
  return answer === 'none' ? '' : ' in the sample of cases that was tried';
}

function about({ id }: TaskDefinition): Pick<Finding, 'taskId' | 'fieldId' | 'ruleId'> {
  return { taskId: id, fieldId: null, ruleId: null };
}
