import type {
  FieldDefinition,
  PhaseDefinition,
  ProcessDocument,
  RuleDefinition,
  TaskDefinition,
} from '@runward/engine';
import type { Template } from '../lookup/template.ts';
import { create, move, remove, update, type Change, type PartKind } from './change.ts';
import { moves } from './order.ts';
import type { TemplateFile } from './template-file.ts';

type Settings = Pick<TemplateFile, 'name' | 'description' | 'runTitlePattern'>;

/** The settings of a template that a file contains. */
export function settingsOf({ name, description, runTitlePattern }: Settings) {
  return { name, description, runTitlePattern };
}

/** What differs between the settings of a template and those of a file. `template` is null if it does not exist yet. */
export function planSettings(file: TemplateFile, template: Template | null): Change[] {
  return template
    ? update('template', file.name, settingsOf(file), settingsOf(template))
    : [create('template', file.name)];
}

/** What differs between two documents, by the ids of their parts. */
export function planDocument(wanted: ProcessDocument, current: ProcessDocument): Change[] {
  const phases = byId(current.phases);
  const tasks = byId(current.tasks);
  const variables = byId(current.variables);
  return [
    ...wanted.variables.flatMap(({ id, ...variable }) => {
      const now = variables.get(id);
      return now ? update('variable', variable.key, variable, now) : create('variable', variable.key);
    }),
    ...wanted.phases.flatMap(({ id, ...phase }) => {
      const now = phases.get(id);
      return now ? update('phase', phase.name, phase, now) : create('phase', phase.name);
    }),
    ...wanted.tasks.flatMap((task) => {
      const now = tasks.get(task.id);
      return now ? update('task', task.title, comparable(task), comparable(now)) : create('task', task.title);
    }),
    ...wanted.tasks.flatMap((task) => fieldChanges(task, current)),
    ...wanted.tasks.flatMap((task) => ruleChanges(task, tasks.get(task.id))),
    ...deletions(wanted, current),
    ...orderChanges(wanted, current),
  ];
}

/** The properties of a task in a file. A push does not change the assignee, which is not in it. */
function comparable({ title, description, required, repeatable, due, phaseId, dependencies }: TaskDefinition) {
  return { title, description, required, repeatable, due, phase: phaseId, dependsOn: dependencies };
}

function fieldChanges({ id: taskId, title, fields }: TaskDefinition, current: ProcessDocument): Change[] {
  return fields.flatMap(({ id, ...field }) => {
    const home = current.tasks.find((task) => task.fields.some((candidate) => candidate.id === id));
    const now = home?.fields.find((candidate) => candidate.id === id);
    if (!home || !now) return create('field', field.key);
    const moved = home.id === taskId ? [] : [move('field', field.key, `to the task "${title}"`)];
    return [...moved, ...update('field', field.key, field, now)];
  });
}

function ruleChanges(task: TaskDefinition, taskNow: TaskDefinition | undefined): Change[] {
  const rules = byId(taskNow?.rules ?? []);
  return task.rules.flatMap(({ id, ...rule }) => {
    const now = rules.get(id);
    return now ? update('rule', ruleName(task, id), rule, now) : create('rule', ruleName(task, id));
  });
}

/** What is not in a file. The fields and rules of a deleted task are deleted with it. */
function deletions(wanted: ProcessDocument, current: ProcessDocument): Change[] {
  const tasks = byId(wanted.tasks);
  const fields = byId(wanted.tasks.flatMap((task) => task.fields));
  const rules = byId(wanted.tasks.flatMap((task) => task.rules));
  const kept = current.tasks.filter(({ id }) => tasks.has(id));
  return [
    ...kept.flatMap((task) => missing(task.fields, fields).map(({ key }) => remove('field', key))),
    ...kept.flatMap((task) => missing(task.rules, rules).map(({ id }) => remove('rule', ruleName(task, id)))),
    ...missing(current.tasks, tasks).map(({ title }) => remove('task', title)),
    ...missing(current.phases, byId(wanted.phases)).map(({ name }) => remove('phase', name)),
    ...missing(current.variables, byId(wanted.variables)).map(({ key }) => remove('variable', key)),
  ];
}

function orderChanges(wanted: ProcessDocument, current: ProcessDocument): Change[] {
  const tasks = byId(current.tasks);
  const keyOf = ({ key }: { readonly key: string }) => key;
  return [
    ...reordered('variable', current.variables, wanted.variables, keyOf),
    ...reordered('phase', current.phases, wanted.phases, ({ name }: PhaseDefinition) => name),
    ...reordered('task', current.tasks, wanted.tasks, ({ title }: TaskDefinition) => title),
    ...wanted.tasks.flatMap(({ id, fields }) =>
      reordered<FieldDefinition>('field', tasks.get(id)?.fields ?? [], fields, keyOf),
    ),
    ...wanted.tasks.flatMap((task) => {
      const now = tasks.get(task.id);
      // A rule without a name is called by the place that it has so far.
      const nameOf = ({ id }: RuleDefinition) =>
        now?.rules.some((rule) => rule.id === id) ? ruleName(now, id) : ruleName(task, id);
      return reordered('rule', now?.rules ?? [], task.rules, nameOf);
    }),
  ];
}

function reordered<Part extends { readonly id: string }>(
  kind: PartKind,
  current: readonly Part[],
  wanted: readonly Part[],
  nameOf: (part: Part) => string,
): Change[] {
  const parts = byId(wanted);
  const target = wanted.map(({ id }) => id);
  const kept = current.map(({ id }) => id).filter((id) => parts.has(id));
  // Items that were created or moved here come last, in the order of the file.
  const start = [...kept, ...target.filter((id) => !kept.includes(id))];
  return moves(start, target).flatMap(({ item, position }) => {
    const part = parts.get(item);
    return part ? move(kind, nameOf(part), `to place ${position + 1}`) : [];
  });
}

function ruleName({ title, rules }: TaskDefinition, ruleId: string): string {
  const index = rules.findIndex(({ id }) => id === ruleId);
  return `${title}: ${rules[index]?.name ?? `rule ${index + 1}`}`;
}

function byId<Part extends { readonly id: string }>(parts: readonly Part[]): ReadonlyMap<string, Part> {
  return new Map(parts.map((part) => [part.id, part]));
}

function missing<Part extends { readonly id: string }>(parts: readonly Part[], kept: ReadonlyMap<string, unknown>) {
  return parts.filter(({ id }) => !kept.has(id));
}
