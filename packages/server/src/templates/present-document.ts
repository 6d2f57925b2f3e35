import type { Contract, Field, Response } from '@runward/contract';
import type {
  ApprovalDefinition,
  FieldDefinition,
  PhaseDefinition,
  ProcessDocument,
  RuleAction,
  RuleDefinition,
  TaskDefinition,
  VariableDefinition,
} from '@runward/engine';
import type { TemplateVersion } from './entities/template-version.ts';
import type { Template } from './entities/template.ts';

type Task = Response<Contract['templates.tasks']['create']>;
type Rule = Response<Contract['templates.rules']['create']>;
type Phase = Response<Contract['templates.phases']['create']>;
type Variable = Response<Contract['templates.variables']['create']>;
type Draft = Response<Contract['templates.draft']['get']>;
type Version = Response<Contract['templates']['publish']>;

/** A published version without its document. */
export function presentVersion(version: Omit<TemplateVersion, 'document'>): Version {
  const { id, templateId, number, note, publishedAt, publishedByUserId } = version;
  return {
    id,
    templateVersionId: id,
    templateId,
    number,
    note: note ?? null,
    publishedAt: publishedAt.toISOString(),
    publishedByUserId,
  };
}

/** The parts of a document in order. */
export function presentDocument({ phases, tasks, variables }: ProcessDocument) {
  return { phases: phases.map(phaseAt), tasks: tasks.map(taskAt), variables: variables.map(presentVariable) };
}

/** A draft as one document. It has no positions, because these are the order of the lists. */
export function presentDraft({ draft, revision }: Pick<Template, 'draft' | 'revision'>): Draft {
  const { phases, tasks, variables } = draft;
  return {
    phases: phases.map(({ id, key = null, name, description }) => ({ id, key, name, description })),
    tasks: tasks.map(draftTask),
    variables: variables.map(presentVariable),
    version: String(revision),
  };
}

function draftTask({ fields, ...task }: TaskDefinition): Draft['tasks'][number] {
  return {
    ...definitionOf(task),
    fields: fields.map(fieldOf),
  };
}

/** A phase of a document with its position. */
export function presentPhase({ phases }: ProcessDocument, phase: PhaseDefinition): Phase {
  return phaseAt(phase, indexOf(phases, phase.id));
}

/** A task of a document with its position. */
export function presentTask({ tasks }: ProcessDocument, task: TaskDefinition): Task {
  return taskAt(task, indexOf(tasks, task.id));
}

/** A field of a document with its position in its task. */
export function presentField({ tasks }: ProcessDocument, field: FieldDefinition): Field {
  const siblings = tasks.map(({ fields }) => fields).find((fields) => indexOf(fields, field.id) >= 0) ?? [];
  return fieldAt(field, indexOf(siblings, field.id));
}

/** A flow variable of a document. */
export function presentVariable(variable: VariableDefinition): Variable {
  const {
    id,
    key,
    name,
    type,
    description,
    defaultValue,
    searchable = false,
    required = false,
    shownToGuests = false,
  } = variable;
  return { id, key, name, type, description, defaultValue, searchable, required, shownToGuests };
}

/** A rule of a document. */
export function presentRule({ id, key, name, match, conditions, actions }: RuleDefinition): Rule {
  return {
    id,
    key: key ?? null,
    name,
    match,
    conditions: conditions.map(({ source, operator, value }) => {
      const operand = typeof value === 'object' ? [...value] : value;
      return { source, operator, ...(operand !== undefined && { value: operand }) };
    }),
    actions: actions.map(presentAction),
  };
}

function presentAction(action: RuleAction): Rule['actions'][number] {
  if (action.type === 'ASSIGN' || action.type === 'SET_VARIABLE') return action;
  return { type: action.type, taskIds: [...action.taskIds], fieldIds: [...action.fieldIds] };
}

function phaseAt({ id, key, name, description }: PhaseDefinition, position: number): Phase {
  return { id, key: key ?? null, position, name, description };
}

function taskAt({ fields, ...task }: TaskDefinition, position: number): Task {
  return { ...definitionOf(task), position, fields: fields.map(fieldAt) };
}

function definitionOf(task: Omit<TaskDefinition, 'fields'>) {
  const { id, key = null, title, description, phaseId, required, repeatable, assigneeId, assigneeGroupId } = task;
  const { due, approval } = task;
  const [dependencies, rules] = [[...task.dependencies], task.rules.map(presentRule)];
  return {
    id,
    key,
    title,
    description,
    phaseId,
    required,
    repeatable,
    assigneeId,
    assigneeGroupId,
    due,
    approval: approval && presentApproval(approval),
    dependencies,
    rules,
  };
}

function fieldOf(field: FieldDefinition): Omit<Field, 'position'> {
  const { id, key, label, type, required, helpText, options, dataSource, searchable = false } = field;
  const lookup = dataSource ? { ...dataSource, autoFill: [...dataSource.autoFill] } : null;
  return { id, key, label, type, required, helpText, options: [...options], dataSource: lookup, searchable };
}

function presentApproval(approval: ApprovalDefinition) {
  return {
    ...approval,
    approverIds: [...approval.approverIds],
    approverGroupIds: [...approval.approverGroupIds],
  };
}

function fieldAt(field: FieldDefinition, position: number): Field {
  return { ...fieldOf(field), position };
}

function indexOf(parts: readonly { readonly id: string }[], id: string): number {
  return parts.findIndex((part) => part.id === id);
}
