import type { Field, Run } from '@runward/sdk';
import { loadForm, visibleFields, type Form } from '@runward/sdk/form';
import { z } from 'zod';
import { describeField } from '../describe-field.ts';
import { nameRun } from '../describe-run.ts';
import { readPeople } from '../lookup/people.ts';
import { findTaskOfRun, taskArguments } from '../lookup/task.ts';
import { quoted } from '../outline.ts';
import { defineTool } from '../tool.ts';

/** Reads the form of a task. */
export const readForm = defineTool({
  name: 'read_form',
  title: 'Read the form of a task',
  description:
    'Returns what a task asks for: its instructions, its fields with the values they have now, its approval, and what it waits for. Use it before ' +
    'submit_form.',
  scopes: ['runs:read'],
  effect: 'read',
  input: z.strictObject(taskArguments),
  run: async (context, input) => {
    const { run, task } = await findTaskOfRun(context.client, input);
    const form = await loadForm(context.client, task);
    const fields = visibleFields(form);
    const entry = form.entry ?? form.completed;
    const assigned = task.assigneeId ?? task.assigneeGroupId;
    const values = new Map(entry?.fieldValues.map((value) => [value.runTaskFieldId, value]));
    const memberIn = ({ id, type }: Field) => {
      const value = values.get(id)?.value;
      return type === 'USER' && typeof value === 'string' ? value : null;
    };
    const people = await readPeople(context, [assigned, ...fields.map(memberIn)]);
    const titles = new Map(run.tasks.map(({ runTaskId, title }) => [runTaskId, title]));
    const { approval } = task;
    return {
      summary: `${quoted(task.title)} of ${nameRun(run)} is ${task.status}. ${nextStep(run, form)}`,
      data: {
        runTaskId: task.runTaskId,
        title: task.title,
        status: task.status,
        run: run.publicId,
        instructions: form.description,
        deadlineAt: task.deadlineAt,
        assignedTo: assigned === null ? null : people.nameOf(assigned),
        ...(task.status === 'BLOCKED' && { waitsFor: task.blockedBy.map((id) => titles.get(id) ?? id) }),
        ...(approval !== null && {
          approval: {
            status: approval.status,
            comments: approval.decisions.map(({ comment }) => comment).filter(Boolean),
          },
        }),
        entry: entry?.status ?? null,
        fields: fields.map((field) => {
          const { value = null, rowLabel = null } = values.get(field.id) ?? {};
          const member = memberIn(field);
          return { ...describeField(field), value: member === null ? value : people.nameOf(member), rowLabel };
        }),
        ...(fields.length < form.fields.length && { fieldsHiddenByRules: form.fields.length - fields.length }),
      },
    };
  },
});

/** What can be done about a task now, as a sentence. */
function nextStep(run: Run, form: Form): string {
  const { task } = form;
  if (run.status === 'COMPLETED' || run.status === 'CANCELLED')
    return `The run is ${run.status}, so nothing can be submitted.`;
  if (task.hidden) return 'Rules hide it, so nothing can be submitted.';
  if (task.status === 'BLOCKED') return 'Its form can be filled in, but completed only after the tasks it waits for.';
  if (task.status === 'PENDING_APPROVAL') return 'It waits for decide_approval by an approver.';
  if (task.status === 'COMPLETED') {
    return task.repeatable ? 'Its form can be filled in again with submit_form.' : 'Its form is completed.';
  }
  if (task.approval !== null && task.approval.status !== 'GRANTED') {
    return 'It needs an approval: submit_form with `complete: false` requests it.';
  }
  const required = visibleFields(form).filter((field) => field.required);
  return `Complete it with submit_form${required.length > 0 ? `; ${required.length} of its fields are required` : ''}.`;
}
