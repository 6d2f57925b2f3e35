import type { BodyInput, Contract, Field } from '@runward/contract';
import type { Api } from './api.ts';

/** A task to publish, with its fields. */
export type TaskSketch = BodyInput<Contract['templates.tasks']['create']> & {
  readonly fields?: readonly BodyInput<Contract['templates.fields']['create']>[];
};

/** What was published: ids by title and key. */
export interface PublishedProcess {
  readonly templateId: string;
  readonly versionId: string;
  readonly taskIds: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, Field>>;
}

/** Makes and publishes a template through the API. */
export async function publishProcess(
  api: Api,
  tasks: readonly TaskSketch[] = [{ title: 'Only task' }],
  settings: Partial<BodyInput<Contract['templates']['create']>> = {},
  variables: readonly BodyInput<Contract['templates.variables']['create']>[] = [],
): Promise<PublishedProcess> {
  const template = await must(api.call('templates', 'create', { body: { name: 'Process', ...settings } }));
  const id = template.id;
  const taskIds: Record<string, string> = {};
  const fields: Record<string, Field> = {};
  for (const variable of variables)
    await must(api.call('templates.variables', 'create', { params: { id }, body: variable }));
  for (const { fields: sketches = [], ...task } of tasks) {
    const { id: taskId } = await must(api.call('templates.tasks', 'create', { params: { id }, body: task }));
    taskIds[task.title] = taskId;
    for (const sketch of sketches) {
      const field = await must(api.call('templates.fields', 'create', { params: { id, taskId }, body: sketch }));
      fields[field.key] = field;
    }
  }
  const version = await must(api.call('templates', 'publish', { params: { id } }));
  return { templateId: id, versionId: version.id, taskIds, fields };
}

/** The body of a response that must be a success. */
export async function must<Body>(answer: Promise<{ status: number; body: Body }>): Promise<Body> {
  const { status, body } = await answer;
  if (status >= 400) throw new Error(`Expected a success, got ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Launches a run and returns it with its tasks, by title. */
export async function launchRun(
  api: Api,
  templateId: string,
  body: Omit<BodyInput<Contract['runs']['launch']>, 'templateId'> = {},
) {
  const { id } = await must(api.call('runs', 'launch', { body: { templateId, ...body } }));
  return getRun(api, id);
}

/** A run with its tasks by title. */
export async function getRun(api: Api, id: string) {
  const run = await must(api.call('runs', 'get', { params: { id } }));
  return { ...run, byTitle: (title: string) => runTask(run, title) };
}

function runTask<Task extends { title: string }>(run: { tasks: readonly Task[] }, title: string): Task {
  const task = run.tasks.find((candidate) => candidate.title === title);
  if (!task) throw new Error(`The run has no task "${title}".`);
  return task;
}
