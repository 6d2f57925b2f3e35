import type { Contract, Response } from '@runward/contract';
import { newRule, variableTypeOf, type ProcessDocument } from '@runward/engine';
import type { Client } from '@runward/sdk';
import type { Template } from '../lookup/template.ts';
import { toRuleEntry } from './rules.ts';
import type { ActionEntry, RuleEntry, TemplateFile, VariableEntry } from './template-file.ts';

type ApiTask = Response<Contract['templates.draft']['get']>['tasks'][number];

/** A template and the document of its draft. */
export interface Draft {
  readonly template: Template;
  readonly document: ProcessDocument;
  /** The version of the template that the draft was read at. */
  readonly version: string;
}

/** Reads the draft of a template. */
export async function readDraft({ templates }: Client, template: Template): Promise<Draft> {
  const { phases, tasks, variables, version } = await templates.draft.get(template.id);
  return { template, document: { phases, tasks: tasks.map(toDefinition), variables }, version };
}

/** A draft in the format of a template file. Pushing that file changes nothing. */
export function toFile({ template, document }: Draft): TemplateFile {
  const keys = phaseKeys(document.phases.map(({ name }) => name));
  const keyOf = new Map(document.phases.map(({ id }, index) => [id, keys[index] ?? null]));
  const titles = new Map(document.tasks.map(({ id, title }) => [id, title]));
  const fieldKeys = new Map(document.tasks.flatMap(({ fields }) => fields.map(({ id, key }) => [id, key])));
  // An id that nothing has, as rules may keep after a deletion, stays as it is: a push reports it.
  const names = { task: (id: string) => titles.get(id) ?? id, field: (id: string) => fieldKeys.get(id) ?? id };
  return {
    name: template.name,
    description: template.description,
    runTitlePattern: template.runTitlePattern,
    variables: document.variables.map(({ id: _, ...variable }) => variable),
    phases: document.phases.map(({ name, description }, index) => ({ key: keys[index] ?? '', name, description })),
    tasks: document.tasks.map(({ phaseId, rules, dependencies, fields, ...task }) => ({
      key: null,
      title: task.title,
      description: task.description,
      phase: phaseId === null ? null : (keyOf.get(phaseId) ?? null),
      required: task.required,
      repeatable: task.repeatable,
      due: task.due,
      dependsOn: dependencies.map(names.task),
      rules: rules.map((rule) => toRuleEntry(rule, names)),
      fields: fields.map(({ id: _, ...field }) => field),
    })),
  };
}

/** A file without the properties that are null, empty or the default, as people write it. */
export function compact(file: TemplateFile): object {
  return withoutDefaults({
    ...file,
    tasks: file.tasks.map(({ due, rules, fields, ...task }) =>
      withoutDefaults(
        {
          ...task,
          due: due && withoutDefaults(due, { hasTime: true }),
          rules: rules.map(compactRule),
          fields: fields.map((field) => withoutDefaults(field, { required: false })),
        },
        { required: true, repeatable: false },
      ),
    ),
    phases: file.phases.map((phase) => withoutDefaults(phase)),
    variables: file.variables.map(compactVariable),
  });
}

function compactVariable(variable: VariableEntry): object {
  return withoutDefaults(variable, { type: variableTypeOf(variable.defaultValue) });
}

function compactRule({ actions, ...rule }: RuleEntry): object {
  return withoutDefaults({ ...rule, actions: actions.map(compactAction) }, { match: 'ALL' });
}

function compactAction(action: ActionEntry): object {
  // The null of a SET_VARIABLE is a value.
  return action.type === 'SET_VARIABLE' ? action : withoutDefaults(action);
}

function toDefinition({ due, rules, ...task }: ApiTask) {
  return {
    ...task,
    rules: rules.map(({ id, ...rule }) => newRule(id, rule)),
    due: due && { from: due.from, offset: due.offset, hasTime: due.hasTime ?? true },
  };
}

function phaseKeys(names: readonly string[]): string[] {
  return names.map((name, index) => {
    const word = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^[^a-z]+|-+$/g, '')
      .slice(0, 60);
    return word === '' || names.slice(0, index).some((other) => other.toLowerCase() === name.toLowerCase())
      ? `phase-${index + 1}`
      : word;
  });
}

function withoutDefaults(part: object, defaults: Readonly<Record<string, unknown>> = {}): object {
  return Object.fromEntries(
    Object.entries(part).filter(([name, value]) => {
      if (value === null || (Array.isArray(value) && value.length === 0)) return false;
      return !(name in defaults) || defaults[name] !== value;
    }),
  );
}
