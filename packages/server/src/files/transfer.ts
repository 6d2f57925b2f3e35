import type { IncomingContent, StreamedFile } from '@runward/contract';
import type { RequestContext } from '../access/request-context.ts';
import { parseStorageKey, storageKey } from '../adapters/file-store.ts';
import { badRequest, found, notFound } from '../api-error.ts';
import type { Em } from '../database/database.ts';
import { TemplateAsset } from '../templates/entities/template-asset.ts';
import { RunFile } from './entities/run-file.ts';
import { isServed } from './served.ts';

type Context = Pick<RequestContext, 'em' | 'now' | 'ports'>;

/**
 * The file of a signed URL. Throws a 404 if the URL is invalid or expired, or if the file was deleted or may no longer
 * be served.
 */
export async function sendContent({ em, now, ports }: Context, token: string): Promise<StreamedFile> {
  const signed = found(await ports.files.readSigned(token, now), 'File');
  const { key, file, fileName, contentType, expiresAt } = signed;
  found((await isServable(em, key)) || null, 'File');
  const seconds = Math.floor((expiresAt.getTime() - now.getTime()) / 1000);
  return {
    contentType,
    fileName,
    size: file.size,
    // The bytes under a key never change.
    entityTag: `"${key.slice(key.lastIndexOf('/') + 1)}"`,
    content: (_, range) => file.open(range),
    headers: {
      // The URL is the permission, so pages of other sites may show the file and browsers may keep it.
      'cache-control': `private, max-age=${seconds}`,
      'cross-origin-resource-policy': 'cross-origin',
      // If a browser shows the file, it must not run anything in it.
      'content-security-policy': "default-src 'none';frame-ancestors 'none';base-uri 'none';sandbox",
    },
  };
}

/**
 * Stores the content of an announced upload. Throws a 404 if the URL is invalid or the upload has ended, and a 400 if
 * the content differs from the announcement.
 */
export async function receiveContent(
  { em, now, ports }: Context,
  token: string,
  body: IncomingContent,
): Promise<undefined> {
  const permission = found(await ports.files.writeSigned(token, now), 'File');
  const { key, contentType, size } = permission;
  const { organizationId } = found(parseStorageKey(key), 'File');
  const isAwaited = async () => (await em.count(RunFile, { organizationId, storageKey: key, status: 'UPLOADING' })) > 0;
  if (!(await isAwaited())) throw notFound('File');
  if (body.contentType !== contentType) {
    throw badRequest([`Content-Type: must be ${contentType}, as announced`]);
  }
  if (body.size !== null && body.size !== size) throw otherSize(size);
  await permission.write(exactly(body.content, size));
  if (await isAwaited()) return;
  // If the upload was confirmed, deleted or purged meanwhile, only its earlier bytes were removed.
  await ports.files.remove(key);
  throw notFound('File');
}

async function isServable(em: Em, key: string): Promise<boolean> {
  const { organizationId, kind, id } = found(parseStorageKey(key), 'File');
  if (kind === 'assets') return (await em.count(TemplateAsset, { organizationId, storageKey: key })) > 0;
  const file = await em.findOne(RunFile, { organizationId, storageKey: storageKey(organizationId, 'files', id) });
  return file !== null && isServed(file);
}

/** Fails as soon as there are more bytes, or at the end if there are fewer. */
async function* exactly(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let received = 0;
  const parts = content[Symbol.asyncIterator]();
  for (;;) {
    const part = await parts.next().catch(() => {
      throw badRequest(['body: ended early; send the file again']);
    });
    if (part.done) break;
    received += part.value.length;
    if (received > size) throw otherSize(size);
    yield part.value;
  }
  if (received < size) throw otherSize(size);
}

function otherSize(size: number) {
  return badRequest([`body: must have ${size} bytes, as announced`]);
}
