import { toDownload, type Download } from '../download.ts';
import { ConnectionError } from '../errors/errors.ts';
import type { FileDownload as DownloadTarget, FilesMethods } from '../generated/files.ts';
import { routes } from '../generated/routes.ts';
import { send } from '../request/call.ts';
import type { Settings } from '../settings.ts';
import type { FileContent, FileDownloadOptions, FileTransfers } from './options.ts';
import { newSha256 } from './sha256.ts';

/** Creates `files.download`. */
export function createDownload(settings: Settings, files: FilesMethods): FileTransfers['download'] {
  return async (fileId, options = {}) => {
    const { onProgress: _, ...transfer } = options;
    return openDownload(settings, await files.downloadUrl(fileId, transfer), options);
  };
}

/** Begins the download of a file from its signed URL. */
export async function openDownload(
  settings: Settings,
  target: DownloadTarget,
  { onProgress, ...transfer }: FileDownloadOptions,
): Promise<FileContent> {
  const { fileName, contentType, size, sha256 } = target;
  const { method, returns } = routes['files.transfer'];
  const { data } = await send(settings, {
    operation: 'files.transfer',
    method,
    effect: 'read',
    path: target.url,
    query: undefined,
    body: undefined,
    key: 'none',
    returns,
    options: transfer,
  });
  const body = (data as Download).body.pipeThrough(await check(target, onProgress));
  return { ...toDownload({ fileName, contentType, size }, body), size, sha256 };
}

async function check(
  { fileName, size, sha256 }: DownloadTarget,
  onProgress: FileDownloadOptions['onProgress'],
): Promise<TransformStream<Uint8Array, Uint8Array>> {
  const hash = await newSha256();
  let receivedBytes = 0;
  return new TransformStream({
    start: () => onProgress?.({ receivedBytes, totalBytes: size }),
    transform(part, controller) {
      hash.update(part);
      receivedBytes += part.byteLength;
      onProgress?.({ receivedBytes, totalBytes: size });
      controller.enqueue(part);
    },
    flush() {
      const actual = hash.hex();
      if (receivedBytes === size && actual === sha256) return;
      throw new ConnectionError(
        `"${fileName}" arrived with other content than was uploaded (${receivedBytes} of ${size} bytes, SHA-256 ${actual} instead of ` +
          `${sha256}). Discard it and retry; if this recurs, check proxies between here and the server.`,
      );
    },
  });
}
