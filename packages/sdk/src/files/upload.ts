import { ConnectionError, RunwardError } from '../errors/errors.ts';
import type { FilesMethods } from '../generated/files.ts';
import { routes } from '../generated/routes.ts';
import { send } from '../request/call.ts';
import { toFormData } from '../request/form-data.ts';
import type { SentContent } from '../request/sent-content.ts';
import type { Settings } from '../settings.ts';
import { newUuid } from '../uuid.ts';
import { openContent, otherSize, readable, reasonOf, type Content } from './content.ts';
import { imageType } from './image-type.ts';
import type { AttachedFile, FileTransfers, UploadOptions } from './options.ts';
import { newSha256 } from './sha256.ts';

/**
 * Largest file that is uploaded in one request. The service accepts 25 MiB, but such a request is held in memory, and a
 * broken connection repeats all of it.
 */
const directBytes = 8 * 1024 * 1024;

/** A large part is sent in pieces, so that there is progress. */
const partBytes = 256 * 1024;

/** Reading at least this fast, the service checks a confirmed file. */
const confirmedBytesPerMs = 10_000;

/** Creates `files.upload`. */
export function createUpload(settings: Settings, files: FilesMethods): FileTransfers['upload'] {
  return async (executionEntryId, runTaskFieldId, source, options = {}) => {
    const { fileName, size, signal } = options;
    const content = await openContent(source, { fileName, size, signal, keptBytes: directBytes });
    const place = { executionEntryId, runTaskFieldId };
    const upload = content.size <= directBytes ? uploadDirectly : uploadToUrl;
    try {
      return await upload({ settings, files, place, content, options });
    } finally {
      await content.dispose();
    }
  };
}

interface Upload {
  readonly settings: Settings;
  readonly files: FilesMethods;
  readonly place: { readonly executionEntryId: string; readonly runTaskFieldId: string };
  readonly content: Content;
  readonly options: UploadOptions;
}

async function uploadDirectly({ settings, files, place, content, options }: Upload): Promise<AttachedFile> {
  const { method, path, body } = routes['files.directUpload'];
  const metered = meter(content, {});
  const file = new File([await wholeOf(metered.open())], content.fileName);
  const encoded = new Response(toFormData('files.upload', body, { ...place, file }));
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  const { data } = await send(settings, {
    operation: 'files.directUpload',
    method,
    effect: 'write',
    path,
    query: undefined,
    body: undefined,
    content: { type: encoded.headers.get('content-type') ?? '', sent: ofBytes(bytes, content.size, options) },
    key: 'required',
    returns: 'json',
    // The service performs it once, however often it is sent.
    options: { ...transferOf(options), idempotencyKey: newUuid() },
  });
  return verify(files, content, data as AttachedFile, metered.sha256());
}

async function uploadToUrl({ settings, files, place, content, options }: Upload): Promise<AttachedFile> {
  const { fileName, size } = content;
  const transfer = transferOf(options);
  const once = () => ({ ...transfer, idempotencyKey: newUuid() });
  const contentType = options.contentType ?? imageType(await content.start()) ?? 'application/octet-stream';
  const { fileId, ...target } = await files.uploadUrl({ ...place, fileName, contentType, size }, once());
  try {
    const metered = meter(content, options);
    const { 'content-type': type = contentType, ...headers } = target.headers;
    await send(settings, {
      operation: 'files.receive',
      method: target.method,
      effect: 'write',
      path: target.uploadUrl,
      query: undefined,
      body: undefined,
      content: { type, sent: metered },
      key: 'none',
      returns: 'nothing',
      options: { ...transfer, headers },
    });
    const timeoutMs = (transfer.timeoutMs ?? settings.timeoutMs) + size / confirmedBytesPerMs;
    const file = await files.confirm({ fileId }, { ...once(), timeoutMs });
    return await verify(files, content, file, metered.sha256());
  } catch (error) {
    await discard(files, fileId);
    throw error;
  }
}

function transferOf({ signal, timeoutMs, maxRetries }: UploadOptions) {
  return { signal, timeoutMs, maxRetries };
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
}

/** Content to send, with its SHA-256 once it was sent completely. */
interface Metered extends SentContent {
  sha256(): string;
}

function meter(content: Content, options: Pick<UploadOptions, 'onProgress'>): Metered {
  const { fileName, size } = content;
  const report = reporter(options);
  let sha256 = '';
  async function* open(): AsyncGenerator<Uint8Array, void, undefined> {
    const hash = await newSha256();
    let sentBytes = 0;
    report({ sentBytes, totalBytes: size });
    for await (const part of readable(fileName, content.open())) {
      if (sentBytes + part.byteLength > size) throw otherSize(fileName, sentBytes + part.byteLength, size);
      hash.update(part);
      for (const piece of pieces(part)) {
        yield piece;
        sentBytes += piece.byteLength;
        report({ sentBytes, totalBytes: size });
      }
    }
    if (sentBytes < size) throw otherSize(fileName, sentBytes, size);
    sha256 = hash.hex();
  }
  return {
    size,
    isInMemory: false,
    open,
    isRepeatable: () => content.isRepeatable(),
    whole: () => wholeOf(open()),
    sha256: () => sha256,
  };
}

async function wholeOf(parts: AsyncIterable<Uint8Array>): Promise<Blob> {
  const collected: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of parts) collected.push(new Uint8Array(part));
  return new Blob(collected);
}

/** Reports progress to the caller, whose errors end the upload. Others look like a lost connection and are retried. */
function reporter({ onProgress }: Pick<UploadOptions, 'onProgress'>): NonNullable<UploadOptions['onProgress']> {
  return (progress) => {
    try {
      onProgress?.(progress);
    } catch (cause) {
      throw new RunwardError(`onProgress failed: ${reasonOf(cause)}`, { cause });
    }
  };
}

/** A form that contains a file of this size. */
function ofBytes(bytes: Uint8Array<ArrayBuffer>, totalBytes: number, options: UploadOptions): SentContent {
  const report = reporter(options);
  async function* open(): AsyncGenerator<Uint8Array, void, undefined> {
    let sentBytes = 0;
    report({ sentBytes, totalBytes });
    for (const piece of pieces(bytes)) {
      yield piece;
      sentBytes = Math.min(totalBytes, sentBytes + piece.byteLength);
      report({ sentBytes, totalBytes });
    }
  }
  return { size: bytes.length, isInMemory: true, open, isRepeatable: () => true, whole: async () => new Blob([bytes]) };
}

async function verify(files: FilesMethods, { fileName }: Content, file: AttachedFile, sha256: string) {
  if (file.sha256 === sha256) return file;
  await discard(files, file.id);
  throw new ConnectionError(
    `The service received other bytes of "${fileName}" than were sent (SHA-256 ${file.sha256} instead of ${sha256}) and removed the ` +
      'file again. Upload it again; if this recurs, check proxies between here and the server.',
  );
}

/** Deletes an upload, even after the caller's signal aborted. If this fails, the upload expires after 24 hours. */
async function discard(files: FilesMethods, fileId: string): Promise<void> {
  await files.delete(fileId, { timeoutMs: 5_000, maxRetries: 1 }).catch(() => {});
}
