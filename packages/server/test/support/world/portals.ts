import { randomUUID } from 'node:crypto';
import { must } from '@runward/testing/process';
import type { Builder, Ids } from './world.ts';

/** A slug that no other portal has. */
export function newSlug(): string {
  return `suppliers-${randomUUID()}`;
}

/** Makes a portal without pages; returns its id and slug. */
export async function newPortal({ api }: Builder): Promise<{ id: string; slug: string }> {
  const body = { name: 'Supplier portal', slug: newSlug(), audience: 'PUBLIC' as const };
  return must(api.call('portals', 'create', { body }));
}

/** Adds a page without blocks to a portal. */
export async function newPageId({ api }: Builder, portalId: string, slug = `page-${randomUUID()}`): Promise<string> {
  const body = { title: 'Overview', slug };
  return (await must(api.call('portals.pages', 'create', { params: { portalId }, body }))).id;
}

/** Lets a member read a portal. */
export async function newRuleId({ api }: Builder, portalId: string, userId: string): Promise<string> {
  return (await must(api.call('portals.accessRules', 'create', { params: { portalId }, body: { userId } }))).id;
}

/** Saves a report about a template. */
export async function newPresetId({ api }: Builder, template: string): Promise<string> {
  const report = {
    metric: 'RUNS' as const,
    filters: { templateIds: [template] },
    groupBy: 'STATUS' as const,
    chart: 'BAR' as const,
  };
  return (await must(api.call('portals.reportPresets', 'create', { body: { name: 'Suppliers by status', report } })))
    .id;
}

/** Makes and publishes a portal with a page that lists and counts the runs of a template. */
export async function newPortalIds(
  world: Builder,
  { template, folder, member }: Pick<Ids, 'template' | 'folder' | 'member'>,
): Promise<Pick<Ids, 'portal' | 'portalPage' | 'accessRule' | 'preset'> & { slug: string }> {
  const { id: portal, slug } = await newPortal(world);
  const portalPage = await newPageId(world, portal, 'overview');
  const preset = await newPresetId(world, template);
  const filters = { templateIds: [template], folderIds: [folder] };
  const blocks = [
    { type: 'HEADING' as const, text: 'Onboarding', level: 1 },
    { type: 'RUN_LIST' as const, title: 'Suppliers', filters },
    { type: 'REPORT' as const, title: 'By status', presetId: preset },
  ];
  const params = { portalId: portal, pageId: portalPage };
  await must(world.api.call('portals.pages', 'setBlocks', { params, body: { blocks } }));
  await must(world.api.call('portals', 'publish', { params }));
  return { portal, portalPage, preset, accessRule: await newRuleId(world, portal, member), slug };
}
