import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { convertImage, type ImageResult } from '../../adapters/images.ts';
import { videoThumbnail } from '../../adapters/video-thumbnail.ts';
import { isVideo } from '../content-types.ts';
import { RunFile } from '../entities/run-file.ts';
import { thumbnailKey } from '../find-file.ts';
import { maximumTries, type ClaimedFile } from '../queries/claim-file.ts';
import type { ExaminerParts } from './examiner.ts';
import { record } from './scan-file.ts';

type Parts = Pick<ExaminerParts, 'database' | 'store' | 'folder'>;

const megabyte = 1024 * 1024;
const notMade: ImageResult = { problem: 'it could not be made' };

/** Makes the thumbnail of a file, or records why there is none. */
export async function makeThumbnail(parts: Parts, file: ClaimedFile, signal: AbortSignal): Promise<void> {
  const { store } = parts;
  const done = { nextAttemptAt: null, leaseToken: null };
  const key = thumbnailKey(file);
  const thumbnail = await thumbnailOf(parts, file, key, signal);
  if ('problem' in thumbnail) {
    await record(parts, file, { ...done, thumbnailStatus: 'NONE', thumbnailProblem: thumbnail.problem });
    return;
  }
  const { width: thumbnailWidth, height: thumbnailHeight } = thumbnail;
  const isRecorded = await record(parts, file, { ...done, thumbnailStatus: 'READY', thumbnailWidth, thumbnailHeight });
  if (isRecorded) return;
  // Another worker, which has taken over, stores its thumbnail under the same key. It is removed with the file only.
  const { organizationId, id } = file;
  if ((await parts.database.em.fork().count(RunFile, { organizationId, id })) === 0) await store.remove(key);
}

async function thumbnailOf(
  { store, folder }: Parts,
  { storageKey, size, contentType, scanStatus, tries }: ClaimedFile,
  key: string,
  signal: AbortSignal,
): Promise<ImageResult> {
  if (scanStatus !== 'PENDING' && tries > maximumTries) return notMade;
  const limit = isVideo(contentType) ? 1024 * megabyte : 100 * megabyte;
  if (size > limit) return { problem: `it has more than ${limit / megabyte} MB` };
  const stored = await store.find(storageKey);
  if (!stored) return { problem: 'its content is missing' };
  const { path } = await folder.receive(abortable(stored.open(), signal));
  const made = `${path}.webp`;
  try {
    const making = isVideo(contentType) ? videoThumbnail(path, made) : convertImage('thumbnail', path, made);
    // An outage of the file store is retried for as long as it takes, and a file that cannot be decoded is not.
    const thumbnail = await making.catch((error: unknown) => {
      if (tries < maximumTries) throw error;
      return notMade;
    });
    if (!('problem' in thumbnail)) {
      // A killed worker may have stored this thumbnail.
      await store.remove(key);
      await store.put(key, made);
    }
    return thumbnail;
  } finally {
    await folder.remove(path);
    await rm(made, { force: true });
  }
}

function abortable(content: Readable, signal: AbortSignal): Readable {
  const abort = () => content.destroy(new Error('The service is stopping.'));
  signal.addEventListener('abort', abort);
  return content.once('close', () => signal.removeEventListener('abort', abort));
}
