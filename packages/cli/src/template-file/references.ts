import type { ActionEntry, ConditionEntry, TaskEntry, TemplateFile } from './template-file.ts';

/** Finds the index of a task by key or title; a key takes precedence. -1 if there is none. */
export function findTask(tasks: readonly TaskEntry[], name: string): number {
  const index = tasks.findIndex(({ key }) => key === name);
  return index < 0 ? tasks.findIndex(({ title }) => title === name) : index;
}

/** The errors in the references of a file, each with its path: phases, dependencies and rules of tasks. */
export function referenceErrors(file: TemplateFile): string[] {
  return file.tasks.flatMap(({ phase, dependsOn, rules }, index) => {
    const path = `tasks[${index}]`;
    return [
      ...(phase === null || file.phases.some(({ key }) => key === phase)
        ? []
        : [`${path}.phase: there is no phase with the key "${phase}"; add it to phases or correct the key`]),
      ...taskErrors(file, dependsOn, `${path}.dependsOn`),
      ...dependsOn.flatMap((name, place) =>
        findTask(file.tasks, name) === index
          ? [`${path}.dependsOn[${place}]: a task cannot depend on itself; remove it`]
          : [],
      ),
      ...rules.flatMap(({ conditions, actions }, place) => [
        ...conditions.flatMap((one, at) => conditionErrors(file, one, `${path}.rules[${place}].conditions[${at}]`)),
        ...actions.flatMap((one, at) => actionErrors(file, one, `${path}.rules[${place}].actions[${at}]`)),
      ]),
    ];
  });
}

function conditionErrors(file: TemplateFile, { field, variable }: ConditionEntry, path: string): string[] {
  if ((field === undefined) === (variable === undefined)) {
    return [`${path}: must have either a field or a variable; write the key of what it reads`];
  }
  if (field !== undefined) return fieldErrors(file, field, `${path}.field`);
  return variableErrors(file, variable ?? '', `${path}.variable`);
}

function actionErrors(file: TemplateFile, action: ActionEntry, path: string): string[] {
  if (action.type === 'SET_VARIABLE') return variableErrors(file, action.variable, `${path}.variable`);
  if (action.type === 'ASSIGN') return taskError(file, action.task, `${path}.task`);
  const { tasks, fields } = action;
  if (tasks.length + fields.length === 0) return [`${path}: names no task or field; add tasks or fields`];
  return [
    ...taskErrors(file, tasks, `${path}.tasks`),
    ...fields.flatMap((key, index) => fieldErrors(file, key, `${path}.fields[${index}]`)),
    ...repetitions(fields, `${path}.fields`),
  ];
}

function taskErrors(file: TemplateFile, names: readonly string[], path: string): string[] {
  // Two unknown names are two errors, not a repetition.
  const found = names.map((name) => file.tasks[findTask(file.tasks, name)]?.title ?? null);
  return [...names.flatMap((name, index) => taskError(file, name, `${path}[${index}]`)), ...repetitions(found, path)];
}

function taskError({ tasks }: TemplateFile, name: string, path: string): string[] {
  if (findTask(tasks, name) >= 0) return [];
  return [`${path}: there is no task with the key or title "${name}"; add it to tasks or correct the name`];
}

function fieldErrors({ tasks }: TemplateFile, key: string, path: string): string[] {
  if (tasks.some(({ fields }) => fields.some((field) => field.key === key))) return [];
  return [`${path}: there is no field with the key "${key}"; add it to a task or correct the key`];
}

function variableErrors({ variables }: TemplateFile, key: string, path: string): string[] {
  if (variables.some((variable) => variable.key === key)) return [];
  return [`${path}: there is no variable with the key "${key}"; add it to variables or correct the key`];
}

function repetitions(names: readonly (string | null)[], path: string): string[] {
  return names.flatMap((name, index) => {
    const first = names.indexOf(name);
    return name === null || first === index ? [] : [`${path}[${index}]: repeats ${path}[${first}]; remove one`];
  });
}
