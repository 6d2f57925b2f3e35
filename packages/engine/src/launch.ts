import { start } from './apply.ts';
import type { LaunchCommand } from './commands.ts';
import { reject, type Decision } from './decision.ts';
import { deadlineAtLaunch } from './due.ts';
import type { FactOf, StartedTask } from './facts.ts';
import type { ProcessDocument } from './process.ts';
import { runTitle } from './run-title.ts';
import type { Clock } from './time.ts';

/** Launches a run of a published document: every task is PENDING, with its due date and assignee taken from its definition. */
export function launch(document: ProcessDocument, command: LaunchCommand, clock: Clock): Decision {
  const unknown = unknownVariables(document, command.variables);
  if (unknown.length > 0) {
    const defined = definedVariables(document);
    return reject(
      'unknown_variable',
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
  const fact: FactOf<'run.started'> = {
    type: 'run.started',
    at: clock.now,
    ...run,
    variables,
    title: command.title ?? runTitle(template, command.scheduledDateLocal, variables),
    tasks: document.tasks.flatMap((task, index): StartedTask[] => {
      const runTaskId = runTaskIds[index];
      if (runTaskId === undefined) return [];
      const { id: taskId, assigneeId, assigneeGroupId } = task;
      const due = deadlineAtLaunch(task.due, command.scheduledDateLocal, clock);
      return [{ runTaskId, taskId, ...due, assigneeId, assigneeGroupId }];
    }),
  };
  return { rejection: null, facts: [fact], state: start(document, fact) };
}

/** The keys of values that are not flow variables of a document. */
export function unknownVariables(document: ProcessDocument, values: LaunchCommand['variables']): string[] {
  const known = new Set(document.variables.map(({ key }) => key));
  return Object.keys(values).filter((key) => !known.has(key));
}

/** The keys of the flow variables of a document as a message lists them: `region, rush`, or `none`. */
export function definedVariables(document: ProcessDocument): string {
  return document.variables.map(({ key }) => key).join(', ') || 'none';
}
