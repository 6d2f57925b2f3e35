import { contract } from '@runward/contract';
import { z } from 'zod';

const settings = contract.templates.create.body;
const variable = contract['templates.variables'].create.body;
const phase = contract['templates.phases'].create.body;
const task = contract['templates.tasks'].create.body;
const field = contract['templates.fields'].create.body;
const rule = contract['templates.rules'].create.body.shape;
const { key } = variable.shape;
const { title } = task.shape;
const partKey = key.optional();
const approval = task.shape.approval.unwrap().unwrap();
const assignees = { assignee: title.nullable().optional(), assigneeGroup: title.nullable().optional() };

const [show, hide, assign, setVariable] = rule.actions.element.options;
const targets = { tasks: title.array().optional(), fields: key.array().optional() };
const actionTypes = rule.actions.element.options.map(({ shape }) => shape.type.value);
const action = z.discriminatedUnion(
  'type',
  [
    show.omit({ taskIds: true, fieldIds: true }).extend(targets),
    hide.omit({ taskIds: true, fieldIds: true }).extend(targets),
    assign.omit({ taskId: true, assigneeId: true, assigneeGroupId: true }).extend({ task: title, ...assignees }),
    setVariable.omit({ key: true }).extend({ variable: key }),
  ],
  { error: `must be one of ${actionTypes.join(', ')}` },
);
const condition = rule.conditions.element
  .omit({ source: true })
  .extend({ field: key.optional(), variable: key.optional() });

const lookup = z.strictObject({
  dataSource: title,
  labelColumn: title,
  autoFill: z.strictObject({ column: title, field: key }).array().optional(),
});

/**
 * The schema of a template file, composed from schemas of the contract. The file accepts what the API accepts, except
 * where servers differ: it has names, keys and email addresses instead of ids, and no folder.
 */
export const fileSchema = settings.omit({ folderId: true }).extend({
  variables: variable.array().optional(),
  phases: phase.extend({ key }).array().optional(),
  tasks: task
    .omit({ phaseId: true, assigneeId: true, assigneeGroupId: true })
    .extend({
      ...assignees,
      approval: approval
        .omit({ approverIds: true, approverGroupIds: true })
        .extend({ approvers: title.array().optional(), approverGroups: title.array().optional() })
        .nullable()
        .optional(),
      key: partKey,
      phase: key.nullable().optional(),
      dependsOn: title.array().optional(),
      rules: z
        .strictObject({
          key: partKey,
          name: rule.name,
          match: rule.match,
          conditions: condition
            .array()
            .min(1, 'must contain at least one condition')
            .max(50, 'must contain at most 50 conditions'),
          actions: action.array().min(1, 'must contain at least one action').max(50, 'must contain at most 50 actions'),
        })
        .array()
        .optional(),
      fields: field.required({ key: true }).extend({ dataSource: lookup.nullable().optional() }).array().optional(),
    })
    .array()
    .optional(),
});
