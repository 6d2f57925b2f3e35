import { must } from '@runward/testing/process';
import type { Builder, Ids } from './world.ts';

/** Uploads a background image; returns the token of the URL to it. */
export async function newFileToken({ api }: Builder, id: string): Promise<string> {
  const upload = api.call('templates', 'setBackgroundImage', { params: { id }, body: { file: newImage() } });
  const { backgroundImage } = await must(upload);
  return backgroundImage?.url.split('/').at(-1) ?? '';
}

/** Uploads a file for a field of an entry. */
export async function newFileId({ api }: Pick<Builder, 'api'>, at: Pick<Ids, 'entry' | 'fileField'>): Promise<string> {
  const body = { executionEntryId: at.entry, runTaskFieldId: at.fileField, file: newImage() };
  return (await must(api.call('files', 'directUpload', { body }))).id;
}

/** What the files of presigned uploads contain. */
export const uploadedText = new Blob(['x'], { type: 'text/plain' });

/** Announces an upload. Returns its id and the token of its URL. */
export async function newUpload({ api }: Builder, { entry, fileField }: Pick<Ids, 'entry' | 'fileField'>) {
  const { size, type: contentType } = uploadedText;
  const place = { executionEntryId: entry, runTaskFieldId: fileField };
  const body = { ...place, fileName: 'certificate.txt', contentType, size };
  const { fileId, uploadUrl } = await must(api.call('files', 'uploadUrl', { body }));
  return { fileId, token: uploadUrl.split('/').at(-1) ?? '' };
}

/** Uploads an image of a template. */
export async function newAssetId({ api }: Pick<Builder, 'api'>, templateId: string): Promise<string> {
  return (await must(api.call('files', 'uploadTemplateAsset', { body: { templateId, file: newImage() } }))).id;
}

/** A GIF of one pixel. */
export function newImage(): File {
  const content = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  return new File([content], 'pixel.gif', { type: 'image/gif' });
}
