import { start } from './apply.ts';
import type { LaunchCommand } from './commands.ts';
import { rulesAtLaunch } from './decide/rules.ts';
import { reject, type Decision } from './decision.ts';
import { deadlineAtLaunch } from './due.ts';
import type { Formats } from './environment.ts';
import type { FactOf, StartedTask } from './facts.ts';
import type { ProcessDocument } from './process.ts';
import { runTitle } from './run-title.ts';
import type { Clock } from './time.ts';
import { checkValue, isFilled } from './values.ts';

/**
 * Launches a run of a published document: every task is PENDING, with its due date and assignee taken from its
 * definition.
 */
export function launch(document: ProcessDocument, command: LaunchCommand, clock: Clock): Decision {
  const unknown = unknownVariables(document, command.variables);
  if (unknown.length > 0) {
    const defined = definedVariables(document);
    return reject(
      'validation_failed',
      `variables: unknown flow variable ${unknown.join(', ')}; the template defines ${defined}`,
    );
  }

  const { runTaskIds, template, ...run } = command;
  const variables = Object.fromEntries(
    document.variables.map(({ key, defaultValue }) => [
      key,
      Object.hasOwn(command.variables, key) ? (command.variables[key] ?? null) : defaultValue,
    ]),
  );
  const { outcome, ruleVariables } = rulesAtLaunch(document, variables);
  const isHidden = (taskId: string) => outcome.isHidden(`task:${taskId}`);
  const origins = { scheduledDate: command.scheduledDateLocal, launchedAt: clock.now };
  const fact: FactOf<'run.started'> = {
    type: 'run.started',
    at: clock.now,
    ...run,
    variables,
    ruleVariables,
    title: command.title ?? runTitle(template, command.scheduledDateLocal, variables),
    tasks: document.tasks.flatMap((task, index): StartedTask[] => {
      const runTaskId = runTaskIds[index];
      if (runTaskId === undefined) return [];
      const { id: taskId } = task;
      const { assigneeId, assigneeGroupId } = outcome.assignmentOf(taskId) ?? task;
      const blocked = task.dependencies.some((id) => !isHidden(id));
      const due = deadlineAtLaunch(task.due, blocked, origins, clock);
      const hiddenFieldIds = task.fields.map(({ id }) => id).filter((id) => outcome.isHidden(`field:${id}`));
      const assignee = { assigneeId, assigneeGroupId };
      return [{ runTaskId, taskId, ...due, ...assignee, blocked, hidden: isHidden(taskId), hiddenFieldIds }];
    }),
  };
  return { rejection: null, facts: [fact], state: start(document, fact) };
}

/** The keys of values that are not flow variables of a document. */
export function unknownVariables(document: ProcessDocument, values: LaunchCommand['variables']): string[] {
  const known = new Set(document.variables.map(({ key }) => key));
  return Object.keys(values).filter((key) => !known.has(key));
}

/** The flow variables whose value does not fit their type: the key, and what is wrong. */
export function unfitVariables(
  { variables }: ProcessDocument,
  values: LaunchCommand['variables'],
  formats: Formats,
): { readonly key: string; readonly problem: string }[] {
  return variables.flatMap(({ key, type }) => {
    const problem = Object.hasOwn(values, key) ? checkValue({ type }, values[key] ?? null, formats) : null;
    return problem === null ? [] : [{ key, problem }];
  });
}

/** The keys of the required flow variables that have no value in a launch: neither one that is given, nor a default. */
export function missingVariables(
  { variables }: Pick<ProcessDocument, 'variables'>,
  values: LaunchCommand['variables'],
): string[] {
  return variables.flatMap(({ key, required, defaultValue }) => {
    const value = Object.hasOwn(values, key) ? (values[key] ?? null) : defaultValue;
    return required && !isFilled(value) ? [key] : [];
  });
}

/** The keys of the flow variables of a document as a message lists them: `region, rush`, or `none`. */
export function definedVariables(document: ProcessDocument): string {
  return document.variables.map(({ key }) => key).join(', ') || 'none';
}
