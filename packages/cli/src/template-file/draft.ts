import type { Contract, Response } from '@runward/contract';
import { newRule, type ProcessDocument } from '@runward/engine';
import type { Client } from '@runward/sdk';
import type { Template } from '../lookup/template.ts';
import type { TemplateFile } from './template-file.ts';

type ApiTask = Response<Contract['templates.tasks']['list']>['data'][number];

/** A template and the document of its draft. */
export interface Draft {
  readonly template: Template;
  readonly document: ProcessDocument;
}

/** Reads the draft of a template. */
export async function readDraft({ templates }: Client, template: Template): Promise<Draft> {
  const phases = await Array.fromAsync(templates.phases.list(template.id));
  const tasks = await Array.fromAsync(templates.tasks.list(template.id));
  const variables = await Array.fromAsync(templates.variables.list(template.id));
  return { template, document: { phases, tasks: tasks.map(toDefinition), variables } };
}

/** A draft in the format of a template file. Pushing that file changes nothing. */
export function toFile({ template, document }: Draft): TemplateFile {
  const keys = phaseKeys(document.phases.map(({ name }) => name));
  const keyOf = new Map(document.phases.map(({ id }, index) => [id, keys[index] ?? null]));
  return {
    name: template.name,
    description: template.description,
    runTitlePattern: template.runTitlePattern,
    variables: document.variables.map(({ key, description, defaultValue }) => ({ key, description, defaultValue })),
    phases: document.phases.map(({ name, description }, index) => ({ key: keys[index] ?? '', name, description })),
    tasks: document.tasks.map(({ title, description, phaseId, required, repeatable, due, fields }) => ({
      key: null,
      title,
      description,
      phase: phaseId === null ? null : (keyOf.get(phaseId) ?? null),
      required,
      repeatable,
      due,
      fields: fields.map(({ id: _, ...field }) => field),
    })),
  };
}

/** A file without the properties that are null, empty or the default, as people write it. */
export function compact(file: TemplateFile): object {
  return withoutDefaults({
    ...file,
    tasks: file.tasks.map(({ due, fields, ...task }) =>
      withoutDefaults(
        {
          ...task,
          due: due && withoutDefaults(due, { hasTime: true }),
          fields: fields.map((field) => withoutDefaults(field, { required: false })),
        },
        { required: true, repeatable: false },
      ),
    ),
    phases: file.phases.map((phase) => withoutDefaults(phase)),
    variables: file.variables.map((variable) => withoutDefaults(variable)),
  });
}

function toDefinition({ position: _, due, fields, rules, ...task }: ApiTask) {
  return {
    ...task,
    rules: rules.map(({ id, ...rule }) => newRule(id, rule)),
    due: due && { from: due.from, offset: due.offset, hasTime: due.hasTime ?? true },
    fields: fields.map(({ id, key, label, type, required, helpText, options }) => {
      return { id, key, label, type, required, helpText, options };
    }),
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
