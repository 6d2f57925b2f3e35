import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileStore } from '../adapters/file-store.ts';
import { convertImage } from '../adapters/images.ts';
import type { RunFile } from '../files/entities/run-file.ts';
import { isServed } from '../files/served.ts';

/** A file in a document: its image, or its name and a note. */
export interface Picture {
  readonly name: string;
  readonly note: string;
  /** Name of the image in the document, and its width in millimetres. */
  readonly image?: { readonly path: string; readonly width: number };
}

/** With more images, the document would be slow to produce and to open. */
const maximumImages = 50;
const pixelsPerMillimetre = 150 / 25.4;
const maximumSize = { width: 100, height: 120 } as const;

/**
 * The files of a run by id, and the paths of their images below `folder`. Images and signatures that are not infected
 * and can be decoded are scaled for print. Other files are named.
 */
export async function picturesOf(
  store: Pick<FileStore, 'find'>,
  files: readonly (RunFile & { readonly isImage: boolean })[],
  folder: string,
  signal: AbortSignal,
): Promise<{ pictures: Map<string, Picture>; paths: Record<string, string> }> {
  const pictures = new Map<string, Picture>();
  const paths: Record<string, string> = {};
  for (const file of files) {
    signal.throwIfAborted();
    const drawn = file.isImage && Object.keys(paths).length < maximumImages && isServed(file);
    const image = drawn ? await imageOf(store, file, folder, signal) : null;
    if (image) paths[`/${file.id}`] = image.path;
    pictures.set(file.id, {
      name: file.fileName,
      note: noteOf(file),
      ...(image && { image: { path: `/${file.id}`, width: image.width } }),
    });
  }
  return { pictures, paths };
}

async function imageOf(
  store: Pick<FileStore, 'find'>,
  { id, storageKey }: RunFile,
  folder: string,
  signal: AbortSignal,
) {
  const stored = await store.find(storageKey);
  if (!stored) return null;
  const original = join(folder, `${id}.original`);
  const path = join(folder, id);
  await pipeline(stored.open(), createWriteStream(original, { mode: 0o600 }), { signal });
  const result = await convertImage('print', original, path);
  if ('problem' in result) return null;
  const { width, height } = result;
  const limit = Math.min(maximumSize.width, (maximumSize.height * width) / height);
  return { path, width: Math.min(width / pixelsPerMillimetre, limit) };
}

function noteOf({ size, sha256, scanStatus }: RunFile): string {
  const problem = scanStatus === 'INFECTED' ? 'infected, ' : '';
  return `${problem}${size.toLocaleString('en')} bytes${sha256 === null ? '' : `, SHA-256 ${sha256}`}`;
}
