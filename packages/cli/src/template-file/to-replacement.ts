import { randomUUID } from 'node:crypto';
import { formats, type BodyInput, type Contract } from '@runward/contract';
import { emptyProcess, replaceDocument, validate, type ProcessDocument, type TaskDefinition } from '@runward/engine';
import { rejected } from '../errors.ts';
import { findTask } from './references.ts';
import { toRule } from './rules.ts';
import type { RuleEntry, TaskEntry, TemplateFile } from './template-file.ts';

/** A document as `PUT /templates/:id/draft` takes it. */
type Body = BodyInput<Contract['templates.draft']['replace']>;

/** What a push sends, and the document that the draft will be. */
export interface Replacement {
  readonly body: Body;
  /** The parts that exist have their ids, the others random ones. */
  readonly document: ProcessDocument;
}

/**
 * The document that a file describes, with random ids. It is built with the functions that the server uses, so that a file the server would
 * reject is rejected before anything is sent. `publishable` also checks what publishing requires.
 *
 * @throws CliError listing every error
 */
export function checkDocument(file: TemplateFile, path: string, publishable: boolean): ProcessDocument {
  const { document } = toReplacement(file, path, emptyProcess);
  const errors = publishable ? validate(document, formats) : [];
  if (errors.length > 0) throw rejected(`${path} is invalid:`, ...new Set(errors));
  return document;
}

/**
 * The document that replaces a draft. Phases that have the same name in both keep their ids, tasks with the same title, fields and variables
 * with the same key, and rules of the same task with the same name. What a file cannot contain, like the assignees of tasks, stays as it is.
 *
 * @throws CliError listing every error of the document
 */
export function toReplacement(file: TemplateFile, path: string, current: ProcessDocument): Replacement {
  const body = bodyOf(file, current);
  const replaced = replaceDocument(current, body, randomUUID, formats);
  if ('problems' in replaced) throw rejected(`${path} is invalid:`, ...new Set(replaced.problems));
  return { body, document: replaced.document };
}

function bodyOf(file: TemplateFile, current: ProcessDocument): Body {
  // Names need not be unique on the server. The first part of a name is kept, the others are deleted.
  const phases = file.phases.map(({ name }, index) => {
    return current.phases.find((phase) => phase.name === name)?.id ?? `new:phase-${index}`;
  });
  const tasksNow = file.tasks.map(({ title }) => current.tasks.find((task) => task.title === title));
  const tasks = tasksNow.map((task, index) => task?.id ?? `new:task-${index}`);
  const variables = new Map(current.variables.map(({ key, id }) => [key, id]));
  const fieldsNow = new Map(current.tasks.flatMap((task) => task.fields.map((field) => [field.key, field])));
  const fieldId = (key: string, index: number, place: number) =>
    fieldsNow.get(key)?.id ?? `new:field-${index}-${place}`;
  const fields = new Map(
    file.tasks.flatMap((task, index) => task.fields.map(({ key }, place) => [key, fieldId(key, index, place)])),
  );
  const names = {
    task: (name: string) => tasks[findTask(file.tasks, name)] ?? name,
    field: (key: string) => fields.get(key) ?? key,
  };

  const taskOf = ({ key: _, phase, dependsOn, ...task }: TaskEntry, index: number): Body['tasks'][number] => {
    const now = tasksNow[index];
    const ruleIds = ruleIdsOf(task.rules, now);
    return {
      ...now,
      ...task,
      id: tasks[index],
      phaseId: phases[file.phases.findIndex(({ key }) => key === phase)] ?? null,
      dependencies: dependsOn.map(names.task),
      rules: task.rules.map((rule, place) => ({ id: ruleIds[place], ...toRule(rule, names) })),
      fields: task.fields.map((field, place) => {
        return {
          ...fieldsNow.get(field.key),
          ...field,
          id: fieldId(field.key, index, place),
          options: [...field.options],
        };
      }),
    };
  };
  return {
    phases: file.phases.map(({ key: _, ...phase }, index) => ({ id: phases[index], ...phase })),
    tasks: file.tasks.map(taskOf),
    variables: file.variables.map((variable) => ({ id: variables.get(variable.key), ...variable })),
  };
}

/** The ids of the rules of a task; undefined for new ones. Of several rules with one name, or without one, the first is the first. */
function ruleIdsOf(rules: readonly RuleEntry[], now: TaskDefinition | undefined): (string | undefined)[] {
  const left = [...(now?.rules ?? [])];
  return rules.map(({ name }) => {
    const index = left.findIndex((rule) => rule.name === name);
    return index < 0 ? undefined : left.splice(index, 1)[0]?.id;
  });
}
