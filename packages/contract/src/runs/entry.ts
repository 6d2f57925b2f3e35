import { z } from 'zod';
import { component } from '../component.ts';
import { fieldType, fieldValue } from '../templates/field-types.ts';
import { id, key, title } from '../values.ts';

const entryStatus = z
  .enum(['OPEN', 'COMPLETED'])
  .meta({ id: 'EntryStatus', description: 'Whether values can still be submitted to an entry.' });

/** The label of the row that a value names. */
export const rowLabel = z
  .string()
  .nullable()
  .describe(
    'For a DATA_SOURCE value, the label of its row at the time of submission, even if the row was deleted since; otherwise null.',
  );

/** An execution entry: one filled-in form of a task (spec: Execution entry). */
export const entry = component('ExecutionEntry', 'A form of a task, filled in once.', {
  id: id.describe('Id of the entry.'),
  runTaskId: id.describe('The task that the entry belongs to.'),
  status: entryStatus.describe('Values can be submitted while the entry is OPEN.'),
  createdByUserId: id.describe('The member who opened the entry.'),
  createdAt: z.iso.datetime().describe('When the entry was opened.'),
  completedAt: z.iso.datetime().nullable().describe('When the entry was completed; null while it is open.'),
  fieldValues: z
    .array(
      component('SubmittedValue', 'The current value of a field in an entry.', {
        id: id.describe('Id of the value, the same for every submission of the field in the entry.'),
        runTaskFieldId: id.describe('The field that the value belongs to.'),
        key: key.describe("Key of the field in the run's version of the template."),
        label: title.describe("Label of the field in the run's version of the template."),
        type: fieldType.describe('Type of the field; determines the shape of the value.'),
        value: fieldValue,
        rowLabel,
        submittedByUserId: id.describe('The member who submitted the value last.'),
        submittedAt: z.iso.datetime().describe('When the value was submitted last.'),
      }),
    )
    .describe('The values submitted so far; empty when the entry is opened.'),
});
