import type { Task, Template } from '@runward/sdk';
import { find, findTask } from '@runward/sdk/find';
import { z } from 'zod';
import { describeField } from '../describe-field.ts';
import { listArguments } from '../list-arguments.ts';
import { readPeople } from '../lookup/people.ts';
import { quoted } from '../outline.ts';
import { ToolError } from '../tool-error.ts';
import { defineTool, type ToolContext, type ToolResult } from '../tool.ts';

/** Maximum number of fields to describe together. If a template has more, its tasks are listed without fields. */
const maximumFields = 80;

/** Maximum number of tasks to describe together. */
const maximumTasks = 100;

/** Describes the parts of a template, and the inputs of a launch. */
export const describeTemplate = defineTool({
  name: 'describe_template',
  title: 'Describe a template',
  description:
    'Describes the published version of a template: the variables that a launch can set, its tasks in order, what each waits for, and the ' +
    'fields of their forms. Use it before launch_run.',
  scopes: ['templates:read'],
  effect: 'read',
  input: z.strictObject({
    template: z.string().min(1, 'must not be empty').meta({ description: 'The id or the name of the template.' }),
    task: z
      .string()
      .optional()
      .meta({ description: 'The title or the id of one task, to describe only that one. Default: all.' }),
    cursor: listArguments.cursor,
  }),
  run: async (context, { template, ...part }) =>
    describePublished(context, await find(context.client, 'template', template), part),
});

/**
 * Describes the published version of a template for a model: its tasks from the first or from `cursor` on, or only
 * `task`.
 *
 * @throws ToolError if it is not published, or for another cursor; FindError if there is no such task
 */
export async function describePublished(
  context: ToolContext,
  template: Template,
  { task: taskText, cursor }: { readonly task?: string | undefined; readonly cursor?: string | undefined } = {},
): Promise<ToolResult> {
  const { id, name, status, publishedVersionId } = template;
  if (publishedVersionId === null) {
    throw new ToolError(
      `${quoted(name)} (${id}) is not published, so it cannot be launched. Choose another with find_templates.`,
    );
  }
  const version = await context.client.templates.versions.get(id, publishedVersionId);
  const { number, variables, phases } = version;
  const chosen = taskText === undefined ? version.tasks : [findTask(version.tasks, taskText)];
  const begin = cursor === undefined ? 0 : chosen.findIndex((task) => task.id === cursor);
  if (begin < 0) throw new ToolError('cursor: must be the nextCursor of an earlier result; leave it out to begin.');
  const tasks = chosen.slice(begin, begin + maximumTasks);
  const nextCursor = chosen[begin + maximumTasks]?.id ?? null;
  const people = await readPeople(
    context,
    tasks.flatMap(({ assigneeId, assigneeGroupId }) => [assigneeId, assigneeGroupId]),
  );
  const titles = new Map(version.tasks.map((task) => [task.id, task.title]));
  const phaseNames = new Map(phases.map((phase) => [phase.id, phase.name]));
  const isShort = tasks.reduce((sum, { fields }) => sum + fields.length, 0) <= maximumFields;
  const describeTask = (task: Task) => {
    const { assigneeId, assigneeGroupId, phaseId, due, approval, rules } = task;
    const assignee = assigneeId ?? assigneeGroupId;
    return {
      taskId: task.id,
      title: task.title,
      required: task.required,
      ...(task.description !== null && { description: task.description }),
      ...(phaseId !== null && { phase: phaseNames.get(phaseId) }),
      ...(task.repeatable && { repeatable: true }),
      ...(assignee !== null && { assignedTo: people.nameOf(assignee) }),
      ...(due !== null && { due: `${due.offset} after ${due.from}` }),
      ...(approval !== null && { needsApproval: true }),
      ...(rules.length > 0 && { hasRules: true }),
      ...(task.dependencies.length > 0 && { waitsFor: task.dependencies.map((each) => titles.get(each) ?? each) }),
      ...(isShort ? { fields: task.fields.map(describeField) } : { fieldCount: task.fields.length }),
    };
  };
  const needed = variables.filter(({ required, defaultValue }) => required && String(defaultValue ?? '').trim() === '');
  const needs = needed.length === 0 ? '' : ` A launch needs values for ${needed.map(({ key }) => key).join(', ')}.`;
  const archived = status === 'ARCHIVED' ? ' It is archived and cannot be launched.' : '';
  const more = [
    isShort ? '' : ' The fields are left out because there are many: describe one task with `task`.',
    nextCursor === null ? '' : ' For more tasks, call describe_template with `cursor` set to nextCursor.',
  ].join('');
  return {
    summary: `${quoted(name)}, version ${number}. Tasks: ${version.tasks.length}.${needs}${archived}${more}`,
    data: {
      templateId: id,
      name,
      version: number,
      ...(template.description !== null && { description: template.description }),
      ...(template.runTitlePattern !== null && { runTitlePattern: template.runTitlePattern }),
      variables: variables.map((variable) => ({
        key: variable.key,
        name: variable.name,
        type: variable.type,
        defaultValue: variable.defaultValue,
        description: variable.description,
        required: variable.required || undefined,
      })),
      tasks: tasks.map(describeTask),
      nextCursor,
    },
  };
}
