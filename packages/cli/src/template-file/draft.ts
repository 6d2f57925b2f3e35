import {
  emptyProcess,
  newPhase,
  newRule,
  partKeys,
  variableTypeOf,
  type LookupDefinition,
  type ProcessDocument,
} from '@runward/engine';
import type { Client, DraftTask, Template, TemplateDraft, TemplateVersionDocument } from '@runward/sdk';
import { toApprovalEntry } from './approvals.ts';
import { memberFields } from './named-people.ts';
import type { People } from './people.ts';
import { toAssigneeEntry, toRuleEntry } from './rules.ts';
import type { Sources } from './sources.ts';
import type { ActionEntry, LookupEntry, RuleEntry, TemplateFile, VariableEntry } from './template-file.ts';

/** A template and one of its documents. */
export interface Snapshot {
  readonly template: Template;
  readonly document: ProcessDocument;
}

/** A template and the document of its draft. */
export interface Draft extends Snapshot {
  /** The version of the template that the draft was read at. */
  readonly version: string;
}

/** Reads the draft of a template. */
export async function readDraft({ templates }: Client, template: Template): Promise<Draft> {
  const { phases, tasks, variables, version } = await templates.draft.get(template.id);
  return { template, document: { phases: phases.map(toPhase), tasks: tasks.map(toDefinition), variables }, version };
}

/** The document of the published version. Empty if there is none. */
export async function readPublished(
  { templates }: Client,
  { id, publishedVersionId }: Template,
): Promise<ProcessDocument> {
  if (publishedVersionId === null) return emptyProcess;
  const { phases, tasks, variables } = await templates.versions.get(id, publishedVersionId);
  return { phases: phases.map(toPhase), tasks: tasks.map(unplacedTask).map(toDefinition), variables };
}

/** Converts a document to a template file. Applying that file to the template changes nothing. */
export function toFile({ template, document }: Snapshot, people: People): TemplateFile {
  const keys = partKeys(document);
  const fields = new Map(document.tasks.flatMap((task) => task.fields.map((field) => [field.id, field])));
  const userFields = new Set(memberFields(document.tasks).map(({ id }) => id));
  // Rules may keep ids of deleted parts. Such an id stays in the file, and plan and apply report it.
  const names = {
    task: (id: string) => keys.tasks.get(id) ?? id,
    field: (id: string) => fields.get(id)?.key ?? id,
    user: (id: string) => people.users.nameOf(id),
    group: (id: string) => people.groups.nameOf(id),
    hasUsers: (id: string) => userFields.has(id),
  };
  return {
    name: template.name,
    description: template.description,
    runTitlePattern: template.runTitlePattern,
    variables: document.variables.map(
      ({ id: _, searchable = false, required = false, shownToGuests = false, ...variable }) => {
        return { ...variable, searchable, required, shownToGuests };
      },
    ),
    phases: document.phases.map(({ id, name, description }) => ({ key: keys.phases.get(id) ?? '', name, description })),
    tasks: document.tasks.map(({ id: taskId, phaseId, rules, dependencies, fields, ...task }) => ({
      key: keys.tasks.get(taskId) ?? null,
      title: task.title,
      description: task.description,
      phase: phaseId === null ? null : (keys.phases.get(phaseId) ?? null),
      required: task.required,
      repeatable: task.repeatable,
      ...toAssigneeEntry(task, names),
      due: task.due,
      approval: task.approval && toApprovalEntry(task.approval, names),
      dependsOn: dependencies.map(names.task),
      rules: rules.map((rule) => ({ key: keys.rules.get(rule.id) ?? null, ...toRuleEntry(rule, names) })),
      fields: fields.map(({ id: _, dataSource, ...field }) => {
        return {
          ...field,
          searchable: field.searchable ?? false,
          dataSource: dataSource ? toLookupEntry(dataSource, names, people.sources) : null,
        };
      }),
    })),
  };
}

function toLookupEntry(
  { dataSourceId, labelColumnId, autoFill }: LookupDefinition,
  { field }: { field: (id: string) => string },
  { nameOf }: Sources,
): LookupEntry {
  return {
    dataSource: nameOf(dataSourceId),
    labelColumn: nameOf(labelColumnId),
    autoFill: autoFill.map(({ columnId, fieldId }) => ({ column: nameOf(columnId), field: field(fieldId) })),
  };
}

/** A file as people write it, without properties that are null, empty or the default. */
export function compact(file: TemplateFile): object {
  return withoutDefaults({
    ...file,
    tasks: file.tasks.map(({ due, approval, rules, fields, ...task }) =>
      withoutDefaults(
        {
          ...task,
          due: due && withoutDefaults(due, { hasTime: true }),
          approval: approval && withoutDefaults(approval, { policy: 'ANY', allowSelfApproval: false }),
          rules: rules.map(compactRule),
          fields: fields.map((field) => withoutDefaults(field, { required: false, searchable: false })),
        },
        { required: true, repeatable: false },
      ),
    ),
    phases: file.phases.map((phase) => withoutDefaults(phase)),
    variables: file.variables.map(compactVariable),
  });
}

function compactVariable(variable: VariableEntry): object {
  return withoutDefaults(variable, {
    type: variableTypeOf(variable.defaultValue),
    searchable: false,
    required: false,
    shownToGuests: false,
  });
}

function compactRule({ actions, ...rule }: RuleEntry): object {
  return withoutDefaults({ ...rule, actions: actions.map(compactAction) }, { match: 'ALL' });
}

function compactAction(action: ActionEntry): object {
  // The null of a SET_VARIABLE is a value.
  return action.type === 'SET_VARIABLE' ? action : withoutDefaults(action);
}

function unplaced<Part extends { readonly position: number }>({ position: _, ...part }: Part): Omit<Part, 'position'> {
  return part;
}

function unplacedTask({ fields, ...task }: TemplateVersionDocument['tasks'][number]): DraftTask {
  return { ...unplaced(task), fields: fields.map(unplaced) };
}

function toPhase({ id, ...phase }: TemplateDraft['phases'][number]) {
  return newPhase(id, phase);
}

function toDefinition({ key, due, rules, fields, ...task }: DraftTask) {
  return {
    ...task,
    ...(key !== null && { key }),
    fields: fields.map(({ dataSource, ...field }) => (dataSource ? Object.assign(field, { dataSource }) : field)),
    rules: rules.map(({ id, ...rule }) => newRule(id, rule)),
    due: due && { ...due, hasTime: due.hasTime ?? true },
  };
}

function withoutDefaults(part: object, defaults: Readonly<Record<string, unknown>> = {}): object {
  return Object.fromEntries(
    Object.entries(part).filter(([name, value]) => {
      if (value === null || (Array.isArray(value) && value.length === 0)) return false;
      return !(name in defaults) || defaults[name] !== value;
    }),
  );
}
