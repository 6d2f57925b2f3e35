import type { Block, Contract, Response } from '@runward/contract';
import type { RequestContext } from '../access/request-context.ts';
import type { RunScope } from '../runs/queries/run-conditions.ts';
import { findDeleted, type Deleted } from './queries/find-deleted.ts';
import { showImages, type ShownImages } from './show-images.ts';
import { showRunList } from './show-run-list.ts';

type ShownBlock = NonNullable<Response<Contract['portals']['view']>['pages'][number]['blocks']>[number];

/** Blocks with their live data and images. What they name and was deleted since is left out, and the block says so. */
export async function showBlocks(
  context: Pick<RequestContext, 'em' | 'now' | 'ports'>,
  scope: RunScope,
  blocks: readonly Block[],
): Promise<ShownBlock[]> {
  const images = await showImages(context, scope.organizationId, blocks);
  const deleted = await findDeleted(context.em, scope.organizationId, blocks);
  const shown: ShownBlock[] = [];
  // One after the other, so that a page with many blocks takes one connection only.
  for (const block of blocks) shown.push(await showBlock(context, scope, block, { images, deleted }));
  return shown;
}

async function showBlock(
  { em }: Pick<RequestContext, 'em'>,
  scope: RunScope,
  block: Block,
  { images, deleted }: { readonly images: ShownImages; readonly deleted: Deleted },
): Promise<ShownBlock> {
  switch (block.type) {
    case 'IMAGE':
      return images(block);
    case 'RUN_LIST':
      return { ...(await showRunList(em, scope, block)), notices: deleted(block.filters) };
    default:
      return block;
  }
}
