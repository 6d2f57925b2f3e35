import type { Contract, Response } from '@runward/contract';
import type { TemplateSettings } from '../access/find-template.ts';
import type { RequestContext } from '../access/request-context.ts';
import { urlLifetimeMs } from '../adapters/file-store.ts';
import { TemplateAsset } from './entities/template-asset.ts';

type Presented = Response<Contract['templates']['get']>;
type Context = Pick<RequestContext, 'em' | 'actor' | 'now' | 'ports'>;

/** Templates without their documents, with URLs to their background images. */
export async function presentTemplates(context: Context, templates: readonly TemplateSettings[]): Promise<Presented[]> {
  const images = await backgroundImages(context, templates);
  return templates.map((template) => ({
    id: template.id,
    name: template.name,
    description: template.description ?? null,
    folderId: template.folderId ?? null,
    runTitlePattern: template.runTitlePattern ?? null,
    status: template.archivedAt ? 'ARCHIVED' : template.publishedVersionId ? 'PUBLISHED' : 'DRAFT',
    publishedVersionId: template.publishedVersionId ?? null,
    hasUnpublishedChanges: template.hasUnpublishedChanges,
    backgroundImage: images.get(template.backgroundAssetId ?? '') ?? null,
    createdAt: template.createdAt.toISOString(),
    updatedAt: template.updatedAt.toISOString(),
    version: String(template.revision),
  }));
}

/** One template without its document, with a URL to its background image. */
export async function presentTemplate(context: Context, template: TemplateSettings): Promise<Presented> {
  const [presented] = await presentTemplates(context, [template]);
  if (!presented) throw new Error('A template was not presented.');
  return presented;
}

async function backgroundImages({ em, actor, now, ports }: Context, templates: readonly TemplateSettings[]) {
  const ids = templates.flatMap(({ backgroundAssetId }) => backgroundAssetId ?? []);
  if (ids.length === 0) return new Map<string, NonNullable<Presented['backgroundImage']>>();
  const assets = await em.find(TemplateAsset, { organizationId: actor.organizationId, id: { $in: ids } });
  const expiresAt = new Date(now.getTime() + urlLifetimeMs);
  const urls = assets.map(async ({ id, storageKey, contentType }) => {
    const fileName = `background.${contentType.slice('image/'.length)}`;
    const url = await ports.files.downloadUrl(storageKey, { fileName, contentType, expiresAt });
    return [id, { assetId: id, url, expiresAt: expiresAt.toISOString() }] as const;
  });
  return new Map(await Promise.all(urls));
}
