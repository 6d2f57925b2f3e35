import { randomUUID } from 'node:crypto';
import { must } from '@runward/testing/process';
import type { Builder } from './world.ts';

/** Saves a view of the template's runs. */
export async function newViewId({ api }: Builder, template: string, folder: string): Promise<string> {
  const filters = { templateIds: [template], folderIds: [folder] };
  const body = { name: 'Supplier onboarding', filters, visibility: 'ORGANIZATION' as const };
  return (await must(api.call('savedViews', 'create', { body }))).id;
}

/** Makes a form link of a task. */
export async function newFormLinkId({ api }: Builder, taskId: string): Promise<string> {
  const body = { email: `${randomUUID()}@supplier.example`, name: 'Acme GmbH' };
  return (await must(api.call('runs.tasks', 'createFormLink', { params: { taskId }, body }))).id;
}
