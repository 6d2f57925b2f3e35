import { z } from 'zod';
import { component } from '../component.ts';
import { id } from '../values.ts';

/** What can happen to a part of a template between two versions. */
const changeKinds = ['ADDED', 'REMOVED', 'CHANGED', 'MOVED'] as const;

/** The parts of a template that changes are about. */
const changedEntities = ['PHASE', 'TASK', 'FIELD', 'OPTION', 'RULE', 'DEPENDENCY', 'VARIABLE'] as const;

const compared = component('ComparedVersion', 'A version that is compared with another.', {
  versionId: id.describe('Id of the version.'),
  number: z.int().min(1).describe('Number of the version.'),
});

const properties = z.record(z.string(), z.unknown());

const change = component('TemplateChange', 'What happened to one part of a template.', {
  kind: z.enum(changeKinds).meta({
    id: 'TemplateChangeKind',
    description:
      'MOVED: another position among the same parts, or another task. A part that was moved and changed has two changes. Of parts in ' +
      'another order, the fewest are reported as moved: of two that change places, the second.',
  }),
  entity: z
    .enum(changedEntities)
    .meta({ id: 'TemplateChangeEntity', description: 'The kind of part that was changed.' }),
  id: id.describe('Id of the part. OPTION: of its field. DEPENDENCY: of the task that waits.'),
  label: z.string().describe('What people call the part, like `Company details > VAT number`.'),
  before: properties
    .optional()
    .describe(
      'Its properties before, named as in a task of the draft. REMOVED: all of them. CHANGED: those that differ. MOVED: `position`, and ' +
        '`taskId` for a field or rule. An option is named by `key`, a dependency by the `taskId` that is waited for. Absent for ADDED.',
    ),
  after: properties
    .optional()
    .describe('The same properties after the change. ADDED: all of them. Absent for REMOVED.'),
});

/** The differences between two versions of a template, or between a version and the draft. */
export const templateDiff = component('TemplateDiff', 'What differs between two states of a template.', {
  from: compared.nullable().describe('The earlier state; null: an empty template.'),
  to: compared.nullable().describe('The later state; null: the draft.'),
  changes: z
    .array(change)
    .describe(
      'The changes in the order of the later state: phases, then tasks, each with its fields, rules and dependencies, then variables. ' +
        'Fields and rules of an added or removed task have changes of their own; its dependencies and the options of a field are part of it.',
    ),
});
