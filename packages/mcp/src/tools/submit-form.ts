import { contract } from '@runward/contract';
import { isValidationError, type Client, type Field, type FieldValue } from '@runward/sdk';
import { findField, loadForm, readValue, type Form } from '@runward/sdk/form';
import { z } from 'zod';
import { describeChanged, nameRun } from '../describe-run.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { lookedUp } from '../lookup/find.ts';
import { findTaskOfRun, taskArguments } from '../lookup/task.ts';
import { quoted } from '../outline.ts';
import { ToolError } from '../tool-error.ts';
import { defineTool } from '../tool.ts';

const { value } = contract.execution.submit.body.shape;

/** Fills in and completes the form of a task. */
export const submitForm = defineTool({
  name: 'submit_form',
  title: 'Fill in and complete a task',
  description:
    'Saves values in the form of a task and completes the task, all or nothing. Values that are not named stay as they are. If the task needs an ' +
    'approval, call it with `complete: false` first, which requests the approval, and once that is granted again without values. Returns the open ' +
    'tasks of the run. Use values that a person has given, and ask for what is missing. Files cannot be uploaded with these tools.',
  scopes: ['runs:write', 'runs:read'],
  effect: 'write',
  input: z.strictObject({
    ...taskArguments,
    values: z
      .record(z.string(), value)
      .default({})
      .meta({
        description:
          'Values by the key or the label of their field, as read_form returns them; null clears a value. Options, members and rows can be ' +
          'given by what people see. Default: none.',
      }),
    complete: z
      .boolean()
      .default(true)
      .meta({ description: 'false: only saves the values, and the task stays open. Default: true.' }),
    idempotencyKey,
  }),
  run: async (context, { values, complete, idempotencyKey: key, ...input }) => {
    const { client } = context;
    const found = await findTaskOfRun(client, input);
    const { runTaskId, title } = found.task;
    const form = await loadForm(client, found.task);
    const submitted = await toSubmissions(client, form, values);
    const body = {
      runTaskId,
      values: submitted.map(({ field, value: given }) => ({ runTaskFieldId: field.id, value: given })),
    };
    const fields = submitted.map(({ field }) => field);
    const { taskStatus } = await client.execution
      .submitForm({ ...body, complete }, { idempotencyKey: key })
      .catch((error: unknown) => {
        throw isValidationError(error)
          ? new ToolError(...error.messages.map((each) => nameFields(each, fields)))
          : error;
      });
    const run = await describeChanged(context, found.run);
    const asks = taskStatus === 'PENDING_APPROVAL' ? ' It waits for its approval now.' : '';
    return {
      summary: `${complete ? 'Completed' : 'Saved'} ${quoted(title)} of ${nameRun(run)}; the task is ${taskStatus}.${asks}`,
      data: { task: { runTaskId, title, status: taskStatus }, run },
    };
  },
});

interface Submission {
  readonly field: Field;
  readonly value: FieldValue;
}

async function toSubmissions(
  client: Client,
  form: Form,
  values: Readonly<Record<string, FieldValue>>,
): Promise<Submission[]> {
  const submissions: Submission[] = [];
  for (const [name, given] of Object.entries(values)) {
    const field = findField(form, name);
    if (submissions.some((other) => other.field === field)) {
      throw new ToolError(`values.${name}: the field "${field.label}" is there twice; keep one of them.`);
    }
    const value = await lookedUp(readValue(client, field, given), field.dataSource ? 'row' : 'member', String(given));
    submissions.push({ field, value });
  }
  return submissions;
}

/** Replaces the position of a field in a message of the API by its key. */
function nameFields(message: string, fields: readonly Field[]): string {
  return message.replace(/^values\[(\d+)\](\.value)?/, (place, index: string) => {
    const field = fields[Number(index)];
    return field ? `values.${field.key}` : place;
  });
}
