import { contract } from '@runward/contract';
import { messageOf, rejected } from '../errors.ts';
import { describeIssues } from '../schema-errors.ts';
import type { TemplateFile } from './template-file.ts';

const settings = contract.templates.create.body;
const variable = contract['templates.variables'].create.body;
const phase = contract['templates.phases'].create.body;
const task = contract['templates.tasks'].create.body;
const field = contract['templates.fields'].create.body;
const { key } = variable.shape;

// Composed from the schemas of the contract: the file accepts what the API accepts, except for what differs between servers (IDs,
// members, folders).
const schema = settings.omit({ folderId: true }).extend({
  variables: variable.array().optional(),
  phases: phase.extend({ key }).array().optional(),
  tasks: task
    .omit({ phaseId: true, assigneeId: true, assigneeGroupId: true })
    .extend({
      key: key.optional(),
      phase: key.nullable().optional(),
      fields: field.required({ key: true }).array().optional(),
    })
    .array()
    .optional(),
});

/**
 * Parses a template file.
 *
 * @throws CliError listing every error with its path
 */
export function readTemplateFile(text: string, path: string): TemplateFile {
  const result = schema.safeParse(parseJson(text, path));
  if (!result.success) throw rejected(`${path} is invalid:`, ...describeIssues(result.error.issues));
  const { name, description, runTitlePattern, variables = [], phases = [], tasks = [] } = result.data;
  const file: TemplateFile = {
    name,
    description: description ?? null,
    runTitlePattern: runTitlePattern ?? null,
    variables: variables.map((entry) => ({
      key: entry.key,
      description: entry.description ?? null,
      defaultValue: entry.defaultValue ?? null,
    })),
    phases: phases.map((entry) => ({ key: entry.key, name: entry.name, description: entry.description ?? null })),
    tasks: tasks.map(({ due, fields = [], ...entry }) => ({
      key: entry.key ?? null,
      title: entry.title,
      description: entry.description ?? null,
      phase: entry.phase ?? null,
      required: entry.required ?? true,
      repeatable: entry.repeatable ?? false,
      due: due ? { from: due.from, offset: due.offset, hasTime: due.hasTime ?? true } : null,
      fields: fields.map((one) => ({
        key: one.key,
        label: one.label,
        type: one.type,
        required: one.required ?? false,
        helpText: one.helpText ?? null,
        options: one.options ?? [],
      })),
    })),
  };
  const errors = crossErrors(file);
  if (errors.length > 0) throw rejected(`${path} is invalid:`, ...errors);
  return file;
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw rejected(`${path} is not valid JSON: ${messageOf(error)}.`);
  }
}

/** The errors between parts: names that identify parts must be unique, and the phase of a task must exist. */
function crossErrors({ phases, tasks }: TemplateFile): string[] {
  const keys = phases.map((phase) => phase.key);
  return [
    ...repeated('phases', 'key', keys),
    ...repeated(
      'phases',
      'name',
      phases.map(({ name }) => name),
    ),
    ...repeated(
      'tasks',
      'key',
      tasks.map((task) => task.key),
    ),
    ...repeated(
      'tasks',
      'title',
      tasks.map(({ title }) => title),
    ),
    ...tasks.flatMap(({ phase }, index) => {
      if (phase === null || keys.includes(phase)) return [];
      return `tasks[${index}].phase: there is no phase with the key "${phase}"; add it to phases or correct the key`;
    }),
  ];
}

function repeated(list: string, name: string, values: readonly (string | null)[]): string[] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    if (value === null || first === index) return [];
    return `${list}[${index}].${name}: ${list}[${first}] already has "${value}"; choose another`;
  });
}
