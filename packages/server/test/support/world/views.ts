import { must } from '@runward/testing/process';
import type { Builder } from './world.ts';

/** Saves a view of the template's runs. */
export async function newViewId({ api }: Builder, template: string, folder: string): Promise<string> {
  const filters = { templateIds: [template], folderIds: [folder] };
  const body = { name: 'Supplier onboarding', filters, visibility: 'ORGANIZATION' as const };
  return (await must(api.call('savedViews', 'create', { body }))).id;
}
