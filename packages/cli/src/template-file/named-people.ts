import { traitsOf, type FieldDefinition, type ProcessDocument } from '@runward/engine';
import type { NamedPeople, People } from './people.ts';
import { lookupErrors } from './sources.ts';
import type { TaskEntry, TemplateFile } from './template-file.ts';

/** A place of a file that names someone. */
interface Mention {
  readonly kind: 'users' | 'groups';
  readonly name: string;
  readonly path: string;
}

/** Whether a file names members, groups, and data sources. */
export function peopleInFile(file: TemplateFile): NamedPeople {
  const mentions = mentionsIn(file);
  return {
    users: mentions.some(({ kind }) => kind === 'users'),
    groups: mentions.some(({ kind }) => kind === 'groups'),
    sources: lookupsIn(file).length > 0,
  };
}

/** Whether a document names members, groups, and data sources. */
export function peopleInDocument({ tasks }: ProcessDocument): NamedPeople {
  const rules = tasks.flatMap((task) => task.rules);
  const assignments = [
    ...tasks,
    ...rules.flatMap(({ actions }) => actions.flatMap((action) => (action.type === 'ASSIGN' ? action : []))),
  ];
  const userFields = new Set(memberFields(tasks).map(({ id }) => id));
  const comparesUsers = rules.some(({ conditions }) =>
    conditions.some(({ source }) => source.type === 'FIELD' && userFields.has(source.fieldId)),
  );
  const approvals = tasks.flatMap(({ approval }) => approval ?? []);
  return {
    users:
      comparesUsers ||
      approvals.some(({ approverIds }) => approverIds.length > 0) ||
      assignments.some(({ assigneeId }) => assigneeId !== null),
    groups:
      approvals.some(({ approverGroupIds }) => approverGroupIds.length > 0) ||
      assignments.some(({ assigneeGroupId }) => assigneeGroupId !== null),
    sources: tasks.some(({ fields }) => fields.some(({ dataSource }) => dataSource)),
  };
}

/** The errors for members, groups, data sources and columns that the organization lacks, each with its path. */
export function peopleErrors(file: TemplateFile, people: People): string[] {
  return [
    ...mentionsIn(file).flatMap(({ kind, name, path }) => {
      const found = people[kind].find(name);
      return 'problem' in found ? [`${path}: ${found.problem}`] : [];
    }),
    ...lookupsIn(file).flatMap(({ lookup, path }) => lookupErrors(lookup, path, people.sources)),
  ];
}

function lookupsIn({ tasks }: TemplateFile) {
  return tasks.flatMap(({ fields }, index) =>
    fields.flatMap(({ dataSource: lookup }, place) =>
      lookup ? [{ lookup, path: `tasks[${index}].fields[${place}].dataSource` }] : [],
    ),
  );
}

/** The fields of tasks whose values are members. */
export function memberFields<Field extends Pick<FieldDefinition, 'type'>>(
  tasks: readonly { readonly fields: readonly Field[] }[],
): Field[] {
  return tasks.flatMap(({ fields }) => fields.filter(({ type }) => traitsOf(type).refersTo === 'member'));
}

function mentionsIn({ tasks }: TemplateFile): Mention[] {
  const userFields = new Set(memberFields(tasks).map(({ key }) => key));
  return tasks.flatMap((task, index) => [
    ...assigneesOf(task, `tasks[${index}]`),
    ...approversOf(task, `tasks[${index}].approval`),
    ...task.rules.flatMap(({ conditions, actions }, place) => [
      ...conditions.flatMap(({ field, value }, at) => {
        if (field === undefined || !userFields.has(field)) return [];
        const path = `tasks[${index}].rules[${place}].conditions[${at}].value`;
        return texts(value).map((name): Mention => ({ kind: 'users', name, path }));
      }),
      ...actions.flatMap((action, at) =>
        action.type === 'ASSIGN' ? assigneesOf(action, `tasks[${index}].rules[${place}].actions[${at}]`) : [],
      ),
    ]),
  ]);
}

function assigneesOf(
  { assignee, assigneeGroup }: { readonly assignee: string | null; readonly assigneeGroup: string | null },
  path: string,
): Mention[] {
  return [
    ...(assignee === null ? [] : [{ kind: 'users' as const, name: assignee, path: `${path}.assignee` }]),
    ...(assigneeGroup === null
      ? []
      : [{ kind: 'groups' as const, name: assigneeGroup, path: `${path}.assigneeGroup` }]),
  ];
}

function approversOf({ approval }: TaskEntry, path: string): Mention[] {
  const mentions = (kind: Mention['kind'], property: string, names: readonly string[] = []) =>
    names.map((name, index): Mention => ({ kind, name, path: `${path}.${property}[${index}]` }));
  return [
    ...mentions('users', 'approvers', approval?.approvers),
    ...mentions('groups', 'approverGroups', approval?.approverGroups),
  ];
}

function texts(value: unknown): string[] {
  return [value].flat().filter((each) => typeof each === 'string');
}
