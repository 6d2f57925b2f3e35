import { randomUUID } from 'node:crypto';
import { formats, type BodyInput, type Contract } from '@runward/contract';
import { emptyProcess, replaceDocument, validate, type ProcessDocument } from '@runward/engine';
import { rejected } from '../errors.ts';
import { toApproval } from './approvals.ts';
import type { Directory } from './directory.ts';
import { matchParts } from './match-parts.ts';
import { memberFields, peopleErrors } from './named-people.ts';
import { anyPeople, type People } from './people.ts';
import { findTask } from './references.ts';
import { toAssignee, toRule } from './rules.ts';
import type { Sources } from './sources.ts';
import type { LookupEntry, TaskEntry, TemplateFile } from './template-file.ts';

/** A document as `PUT /templates/:id/draft` takes it. */
type Body = BodyInput<Contract['templates.draft']['replace']>;

/** The request that replaces a draft, and the resulting document. */
export interface Replacement {
  readonly body: Body;
  /** The parts that exist have their ids, the others random ones. */
  readonly document: ProcessDocument;
}

/**
 * Builds the document that a file describes, with random ids. Members and groups get random ids, too, unless `people`
 * are given. Uses the same functions as the server, so that an invalid file is rejected before anything is sent.
 * `publishable` also checks what publishing requires.
 *
 * @throws CliError listing every error
 */
export function checkDocument(
  file: TemplateFile,
  path: string,
  publishable: boolean,
  people: People = anyPeople(),
): ProcessDocument {
  const { document } = toReplacement(file, path, emptyProcess, people);
  const errors = publishable ? validate(document, formats) : [];
  if (errors.length > 0) throw rejected(`${path} is invalid:`, ...new Set(errors));
  return document;
}

/**
 * Builds the document that replaces another one. Parts keep their ids if they match: fields and variables by key;
 * phases, tasks and rules by key, and what is left by name, rules only within their task. Among parts of one name, the
 * first matches the first.
 *
 * @throws CliError listing every error of the document
 */
export function toReplacement(file: TemplateFile, path: string, current: ProcessDocument, people: People): Replacement {
  const unknown = peopleErrors(file, people);
  if (unknown.length > 0) throw rejected(`${path} is invalid:`, ...unknown);
  const body = bodyOf(file, current, people);
  const replaced = replaceDocument(current, body, randomUUID, formats);
  if ('problems' in replaced) throw rejected(`${path} is invalid:`, ...new Set(replaced.problems));
  return { body, document: replaced.document };
}

function bodyOf(file: TemplateFile, current: ProcessDocument, people: People): Body {
  const now = matchParts(file, current);
  const phases = now.phases.map((phase, index) => phase?.id ?? `new:phase-${index}`);
  const tasks = now.tasks.map((task, index) => task?.id ?? `new:task-${index}`);
  const variables = new Map(current.variables.map(({ key, id }) => [key, id]));
  const fieldsNow = new Map(current.tasks.flatMap((task) => task.fields.map((field) => [field.key, field.id])));
  const fieldId = (key: string, index: number, place: number) => fieldsNow.get(key) ?? `new:field-${index}-${place}`;
  const fields = new Map(
    file.tasks.flatMap((task, index) => task.fields.map(({ key }, place) => [key, fieldId(key, index, place)])),
  );
  const userFields = new Set(memberFields(file.tasks).map(({ key }) => key));
  const names = {
    task: (name: string) => tasks[findTask(file.tasks, name)] ?? name,
    field: (key: string) => fields.get(key) ?? key,
    user: (email: string) => idIn(people.users, email),
    group: (name: string) => idIn(people.groups, name),
    hasUsers: (key: string) => userFields.has(key),
  };

  const taskOf = (entry: TaskEntry, index: number): Body['tasks'][number] => {
    const { assignee: _a, assigneeGroup: _g, phase, dependsOn, approval, ...task } = entry;
    return {
      ...task,
      ...toAssignee(entry, names),
      id: tasks[index],
      phaseId: phases[file.phases.findIndex(({ key }) => key === phase)] ?? null,
      approval: approval && toApproval(approval, names),
      dependencies: dependsOn.map(names.task),
      rules: task.rules.map((rule, place) => ({ id: now.rules[index]?.[place]?.id, ...toRule(rule, names) })),
      fields: task.fields.map(({ options, dataSource, ...field }, place) => {
        const id = fieldId(field.key, index, place);
        return Object.assign(field, {
          id,
          options: [...options],
          dataSource: dataSource && toLookup(dataSource, names, people.sources),
        });
      }),
    };
  };
  return {
    phases: file.phases.map((phase, index) => ({ id: phases[index], ...phase })),
    tasks: file.tasks.map(taskOf),
    variables: file.variables.map((variable) => ({ id: variables.get(variable.key), ...variable })),
  };
}

function toLookup(
  { dataSource, labelColumn, autoFill }: LookupEntry,
  { field }: { field: (key: string) => string },
  sources: Sources,
) {
  const column = (name: string) => idIn({ find: (each) => sources.findColumn(dataSource, each) }, name);
  return {
    dataSourceId: idIn(sources, dataSource),
    labelColumnId: column(labelColumn),
    autoFill: autoFill.map(({ column: name, field: key }) => ({ columnId: column(name), fieldId: field(key) })),
  };
}

/** The errors of names have been reported before. */
function idIn(directory: Pick<Directory, 'find'>, name: string): string {
  const found = directory.find(name);
  return 'id' in found ? found.id : name;
}
