import type { BodyInput, Contract } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { must } from '@runward/testing/process';
import { newSlug } from './world/portals.ts';

/** Blocks as editors send them. */
export type Blocks = BodyInput<Contract['portals.pages']['setBlocks']>['blocks'];

/** Makes a portal. */
export async function createPortal(api: Api, settings: Partial<BodyInput<Contract['portals']['create']>> = {}) {
  return must(api.call('portals', 'create', { body: { name: 'Portal', slug: newSlug(), ...settings } }));
}

/** Adds a page with blocks to the draft of a portal. */
export async function createPage(api: Api, portalId: string, slug = 'page', blocks: Blocks = []) {
  const page = await must(api.call('portals.pages', 'create', { params: { portalId }, body: { title: slug, slug } }));
  return blocks.length === 0 ? page : must(setBlocks(api, page, blocks));
}

/** Replaces the blocks of the draft of a page. */
export function setBlocks(api: Api, { portalId, id }: { portalId: string; id: string }, blocks: Blocks) {
  return api.call('portals.pages', 'setBlocks', { params: { portalId, pageId: id }, body: { blocks } });
}

/** Publishes a portal. */
export async function publish(api: Api, portalId: string) {
  return must(api.call('portals', 'publish', { params: { portalId } }));
}

/** Makes and publishes a portal with a page that has these blocks. */
export async function publishedPortal(
  api: Api,
  blocks: Blocks,
  settings: Partial<BodyInput<Contract['portals']['create']>> = { audience: 'PUBLIC' },
) {
  const { id } = await createPortal(api, settings);
  const page = await createPage(api, id, 'page', blocks);
  return { portal: await publish(api, id), page };
}

/** What a caller reads at a slug. */
export function view(api: Api, slug: string, query: { page?: string } = {}) {
  return api.call('portals', 'view', { params: { slug }, query });
}

/** The blocks of the only page that a caller reads at a slug. */
export async function shownBlocks(api: Api, slug: string) {
  const { pages } = await must(view(api, slug));
  return pages[0]?.blocks ?? [];
}
