import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { id, version } from '../values.ts';
import { field, fieldLookup } from './field-types.ts';
import { fieldDefinition } from './fields.ts';
import { phase, phaseDefinition } from './phases.ts';
import { draftRejections } from './rejections.ts';
import { draftRule } from './rule-types.ts';
import { task, taskDefinition } from './tasks.ts';
import { variable, variableDefinition } from './variables.ts';

const draftPhase = phase
  .omit({ position: true })
  .meta({ id: 'DraftPhase', description: 'A phase; its place in the list is its position.' });

const draftField = field
  .omit({ position: true })
  .meta({ id: 'DraftField', description: 'A field; its place in the list is its position.' });

const draftTask = task
  .omit({ position: true })
  .extend({ fields: z.array(draftField).describe('All fields of the task, in order.') })
  .meta({ id: 'DraftTask', description: 'A task; its place in the list is its position.' });

/** The content of a draft. Lists are in the order in which the template shows their items. */
const draft = component('TemplateDraft', 'The content of a draft. Its lists are in the order of the template.', {
  phases: z.array(draftPhase).describe('All phases, in order.'),
  tasks: z.array(draftTask).describe('All tasks, in order.'),
  variables: z.array(variable).describe('All flow variables, in order.'),
  version: version.describe(
    'The version of the template. Differs after every change of its settings or its draft. Opaque.',
  ),
});

const name = z
  .string()
  .regex(
    /^new:[A-Za-z0-9_-]{1,64}$/,
    'must be the UUID of a part of the draft, or new: and at most 64 letters, digits, "_" or "-"',
  );

const partId = z.union([name, id]);

const ownId = partId
  .optional()
  .describe(
    'The id of a part of the current draft, which keeps its identity. `new:` and a name of your choice: a new part, to which the document can ' +
      'refer by that name. Default: a new part.',
  );

const newPhase = phaseDefinition
  .extend({ id: ownId })
  .meta({ id: 'ReplaceDraftPhase', description: 'A phase that the draft gets.' });

const newField = fieldDefinition
  .extend({
    id: ownId,
    key: fieldDefinition.shape.key.describe(
      'Unique within the template. Default: the key that the field has; for new fields, one derived from the label.',
    ),
    options: fieldDefinition.shape.options.describe(
      'At least one for DROPDOWN and MULTI_SELECT; not allowed for other types. Default: none.',
    ),
    dataSource: fieldLookup
      .extend({
        autoFill: z
          .array(
            component('ReplaceDraftAutoFill', 'A field that is filled from a column.', {
              columnId: id.describe('A column of the data source.'),
              fieldId: z
                .string()
                .max(68, 'must be the id of another field of the same task in this document')
                .describe('The `id` of another field of the same task in this document.'),
            }),
          )
          .max(100, 'must contain at most 100 fields')
          .describe('The fields that submitting a row fills; can be empty.'),
      })
      .meta({ id: 'ReplaceDraftLookup', description: 'Where a DATA_SOURCE field looks up its rows.' })
      .nullable()
      .optional()
      .describe('Only for DATA_SOURCE, which takes no values without it. Default: null.'),
  })
  .meta({ id: 'ReplaceDraftField', description: 'A field that the draft gets.' });

const newRule = draftRule(partId)
  .extend({ id: ownId })
  .meta({ id: 'ReplaceDraftRule', description: 'A rule that the draft gets.' });

const newTask = taskDefinition
  .extend({
    id: ownId,
    phaseId: partId.nullable().optional().describe('The `id` of a phase of this document. Default: null.'),
    dependencies: z
      .array(partId)
      .max(500, 'must contain at most 500 ids')
      .optional()
      .describe('The `id`s of the tasks that must be completed first. Default: none.'),
    rules: z
      .array(newRule)
      .optional()
      .describe('Conditional-logic rules, in order; at most 500 in the template. Default: none.'),
    fields: z.array(newField).optional().describe('All fields of the task, in order; at most 100. Default: none.'),
  })
  .meta({ id: 'ReplaceDraftTask', description: 'A task that the draft gets.' });

const newVariable = variableDefinition
  .extend({ id: ownId })
  .meta({ id: 'ReplaceDraftVariable', description: 'A flow variable that the draft gets.' });

const replacement = component('ReplaceDraft', 'The content that the draft gets.', {
  phases: z.array(newPhase).describe('All phases, in order; at most 100.'),
  tasks: z.array(newTask).describe('All tasks, in order; at most 500, with at most 2,000 fields.'),
  variables: z.array(newVariable).describe('All flow variables, in order; at most 200.'),
  version: version
    .optional()
    .describe(
      'Ignored, so that a document can be sent back as it was read. To reject it if the template has changed since, use `If-Match`.',
    ),
});

/** The draft of a template as one document. */
export const templateDraft = {
  get: {
    method: 'GET',
    path: '/templates/:id/draft',
    large: true,
    access: 'templates:read',
    summary: 'Get the draft as one document',
    description: '`PUT /templates/:id/draft` takes the same document.',
    response: draft,
    versioned: true,
  },
  replace: {
    method: 'PUT',
    path: '/templates/:id/draft',
    large: true,
    access: 'templates:write',
    summary: 'Replace the draft with another document',
    description:
      'All or nothing. Parts with the id of a part of the current draft keep their identity, also fields that are now in another task; ' +
      'parts without one are created; parts of the draft that the document does not have are deleted. Properties that are left out have ' +
      'the default of a new part. Returns 400 with every problem of the document and its path, or if the template is archived. Sending ' +
      'back what `GET /templates/:id/draft` returned changes nothing. Changes only the draft.',
    body: replacement,
    errors: draftRejections,
    response: draft,
    versioned: true,
  },
} as const satisfies Group;
