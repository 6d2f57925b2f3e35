import type { Block } from '@runward/contract';
import type { RequestContext } from '../access/request-context.ts';
import { urlLifetimeMs } from '../adapters/file-store.ts';
import { TemplateAsset } from '../templates/entities/template-asset.ts';

type Image = Extract<Block, { type: 'IMAGE' }>;

/** Returns the image of a block with a signed URL, or without one if it was deleted. */
export type ShownImages = (block: Image) => ReturnType<typeof absent>;

/** The images that blocks show. */
export async function showImages(
  { em, now, ports }: Pick<RequestContext, 'em' | 'now' | 'ports'>,
  organizationId: string,
  blocks: readonly Block[],
): Promise<ShownImages> {
  const ids = blocks.flatMap((block) => (block.type === 'IMAGE' ? block.assetId : []));
  const assets = ids.length === 0 ? [] : await em.find(TemplateAsset, { organizationId, id: { $in: ids } });
  const expiresAt = new Date(now.getTime() + urlLifetimeMs);
  const urls = assets.map(async ({ id, storageKey, contentType, width, height }) => {
    const fileName = `image.${contentType.slice('image/'.length)}`;
    const url = await ports.files.downloadUrl(storageKey, { fileName, contentType, expiresAt });
    return [id, { url, expiresAt: expiresAt.toISOString(), width, height }] as const;
  });
  const shown = new Map(await Promise.all(urls));
  return (block) => {
    const image = shown.get(block.assetId);
    return image ? { ...absent(block), ...image, notices: [] } : absent(block);
  };
}

interface Location {
  readonly url: string | null;
  readonly expiresAt: string | null;
  readonly width: number | null;
  readonly height: number | null;
}

function absent({ type, alt }: Image) {
  const nowhere: Location = { url: null, expiresAt: null, width: null, height: null };
  const notices: 'IMAGE_DELETED'[] = ['IMAGE_DELETED'];
  return { type, alt, ...nowhere, notices };
}
