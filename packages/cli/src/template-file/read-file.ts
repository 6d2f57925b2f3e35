import { problemsOf, withInput } from '@runward/contract';
import { variableTypeOf } from '@runward/engine';
import type { output } from 'zod';
import { parseJson } from '../api/content.ts';
import { rejected } from '../errors.ts';
import { fileSchema } from './file-schema.ts';
import { referenceErrors } from './references.ts';
import type { ActionEntry, TaskEntry, TemplateFile } from './template-file.ts';

type TaskInput = NonNullable<output<typeof fileSchema>['tasks']>[number];
type ActionInput = NonNullable<TaskInput['rules']>[number]['actions'][number];

/**
 * Parses a template file.
 *
 * @throws CliError listing every error with its path
 */
export function readTemplateFile(text: string, path: string): TemplateFile {
  const result = fileSchema.safeParse(parseJson(text, path, rejected), withInput);
  if (!result.success) throw rejected(`${path} is invalid:`, ...problemsOf(result.error, 'file'));
  const { name, description, runTitlePattern, variables = [], phases = [], tasks = [] } = result.data;
  const file: TemplateFile = {
    name,
    description: description ?? null,
    runTitlePattern: runTitlePattern ?? null,
    variables: variables.map((entry) => ({
      key: entry.key,
      name: entry.name ?? null,
      type: entry.type ?? variableTypeOf(entry.defaultValue ?? null),
      description: entry.description ?? null,
      defaultValue: entry.defaultValue ?? null,
      searchable: entry.searchable ?? false,
      required: entry.required ?? false,
      shownToGuests: entry.shownToGuests ?? false,
    })),
    phases: phases.map((entry) => ({ key: entry.key, name: entry.name, description: entry.description ?? null })),
    tasks: tasks.map(taskEntry),
  };
  const errors = [...repetitions(file), ...referenceErrors(file)];
  if (errors.length > 0) throw rejected(`${path} is invalid:`, ...errors);
  return file;
}

function taskEntry({ due, approval, rules = [], fields = [], ...task }: TaskInput): TaskEntry {
  return {
    key: task.key ?? null,
    title: task.title,
    description: task.description ?? null,
    phase: task.phase ?? null,
    required: task.required ?? true,
    repeatable: task.repeatable ?? false,
    assignee: task.assignee ?? null,
    assigneeGroup: task.assigneeGroup ?? null,
    due: due ? { ...due, hasTime: due.hasTime ?? true } : null,
    approval: approval
      ? {
          approvers: approval.approvers ?? [],
          approverGroups: approval.approverGroups ?? [],
          policy: approval.policy ?? 'ANY',
          allowSelfApproval: approval.allowSelfApproval ?? false,
        }
      : null,
    dependsOn: task.dependsOn ?? [],
    rules: rules.map(({ key, name, match, conditions, actions }) => {
      return { key: key ?? null, name: name ?? null, match, conditions, actions: actions.map(actionEntry) };
    }),
    fields: fields.map((one) => ({
      key: one.key,
      label: one.label,
      type: one.type,
      required: one.required ?? false,
      helpText: one.helpText ?? null,
      options: one.options ?? [],
      dataSource: one.dataSource ? { ...one.dataSource, autoFill: one.dataSource.autoFill ?? [] } : null,
      searchable: one.searchable ?? false,
    })),
  };
}

function actionEntry(action: ActionInput): ActionEntry {
  switch (action.type) {
    case 'SHOW':
    case 'HIDE':
      return { type: action.type, tasks: action.tasks ?? [], fields: action.fields ?? [] };
    case 'ASSIGN':
      return { ...action, assignee: action.assignee ?? null, assigneeGroup: action.assigneeGroup ?? null };
    case 'SET_VARIABLE':
      return action;
  }
}

/** The errors of names that identify parts and are not unique. */
function repetitions({ phases, tasks }: TemplateFile): string[] {
  const rules = tasks.flatMap((task, index) =>
    task.rules.map(({ key }, place) => ({ path: `tasks[${index}].rules[${place}]`, key })),
  );
  return [
    ...repeatedKeys(phases.map(({ key }, index) => ({ path: `phases[${index}]`, key }))),
    ...repeatedKeys(tasks.map(({ key }, index) => ({ path: `tasks[${index}]`, key }))),
    ...repeatedKeys(rules),
    ...tasks.flatMap(({ title }, index) => {
      const first = tasks.findIndex((task) => task.title === title);
      if (first === index || (tasks[first]?.key !== null && tasks[index]?.key !== null)) return [];
      return [
        `tasks[${index}].title: tasks[${first}] already has "${title}"; choose another, or give each of them a key`,
      ];
    }),
  ];
}

function repeatedKeys(parts: readonly { readonly path: string; readonly key: string | null }[]): string[] {
  return parts.flatMap(({ path, key }, index) => {
    const first = parts.findIndex((part) => part.key === key);
    if (key === null || first === index) return [];
    return `${path}.key: ${parts[first]?.path} already has "${key}"; choose another`;
  });
}
