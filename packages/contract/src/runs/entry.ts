import { z } from 'zod';
import { component } from '../component.ts';
import { fieldType, fieldValue } from '../templates/field-types.ts';
import { id, key, title } from '../values.ts';

const entryStatus = z
  .enum(['OPEN', 'COMPLETED'])
  .meta({ id: 'EntryStatus', description: 'Whether values can still be submitted to an entry.' });

/** The label of the row that a value names. */
export const rowLabel = z.string().nullable().meta({
  description:
    'For a DATA_SOURCE value, the label of its row at the time of submission, even if the row was deleted since; otherwise null.',
});

/** An execution entry: one filled-in form of a task (spec: Execution entry). */
export const entry = component('ExecutionEntry', 'A form of a task, filled in once.', {
  id: id.meta({ description: 'Id of the entry.' }),
  runTaskId: id.meta({ description: 'The task that the entry belongs to.' }),
  status: entryStatus.meta({ description: 'Values can be submitted while the entry is OPEN.' }),
  createdByUserId: id.meta({ description: 'The member who opened the entry.' }),
  createdAt: z.iso.datetime().meta({ description: 'When the entry was opened.' }),
  completedAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the entry was completed; null while it is open.' }),
  fieldValues: z
    .array(
      component('SubmittedValue', 'The current value of a field in an entry.', {
        id: id.meta({ description: 'Id of the value, the same for every submission of the field in the entry.' }),
        runTaskFieldId: id.meta({ description: 'The field that the value belongs to.' }),
        key: key.meta({ description: "Key of the field in the run's version of the template." }),
        label: title.meta({ description: "Label of the field in the run's version of the template." }),
        type: fieldType.meta({ description: 'Type of the field; determines the shape of the value.' }),
        value: fieldValue,
        rowLabel,
        submittedByUserId: id.meta({ description: 'The member who submitted the value last.' }),
        submittedAt: z.iso.datetime().meta({ description: 'When the value was submitted last.' }),
      }),
    )
    .meta({ description: 'The values submitted so far; empty when the entry is opened.' }),
});
