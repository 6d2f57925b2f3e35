import type { BodyInput, Contract, Response } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { must } from '@runward/testing/process';
import type { SharedApp } from '@runward/testing/use-shared-app';

/** A task as the API answers it. */
export type Task = Response<Contract['templates.tasks']['create']>;

/** Makes a template that was never published; answers its id. */
export async function newTemplate(
  api: Api,
  settings: Partial<BodyInput<Contract['templates']['create']>> = {},
): Promise<string> {
  return (await must(api.call('templates', 'create', { body: { name: 'Process', ...settings } }))).id;
}

/** A template as it stands. */
export async function readTemplate(api: Api, id: string) {
  return must(api.call('templates', 'get', { params: { id } }));
}

type Draft = BodyInput<Contract['templates.draft']['replace']>;

/** Publishes a template with these tasks and variables. Returns its id. */
export async function publishDraft(
  api: Api,
  tasks: Draft['tasks'],
  variables: Draft['variables'] = [],
): Promise<string> {
  const id = await newTemplate(api);
  await must(api.call('templates.draft', 'replace', { params: { id }, body: { phases: [], tasks, variables } }));
  await must(api.call('templates', 'publish', { params: { id } }));
  return id;
}

/** Adds a task to a draft. */
export async function addTask(
  api: Api,
  id: string,
  task: Partial<BodyInput<Contract['templates.tasks']['create']>> = {},
): Promise<Task> {
  return must(api.call('templates.tasks', 'create', { params: { id }, body: { title: 'Task', ...task } }));
}

/** The tasks of a draft. */
export async function readTasks(api: Api, id: string): Promise<Task[]> {
  return (await must(api.call('templates.tasks', 'list', { params: { id } }))).data;
}

/** Adds a folder and returns its id. */
export function newFolder({ provision }: SharedApp, organizationId: string): Promise<string> {
  return provision.folder(organizationId);
}

/** Adds a group and returns its id. */
export function newGroup({ provision }: SharedApp, organizationId: string): Promise<string> {
  return provision.group(organizationId);
}

/** Shares a template. */
export async function newShare(api: Api, id: string) {
  const body = { name: 'Purchasing network' };
  return must(api.call('templates.shares', 'create', { params: { templateId: id }, body }));
}
