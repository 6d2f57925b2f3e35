import { isRunwardError } from '../errors/error-guards.ts';
import { RunwardError } from '../errors/errors.ts';
import { isNode, nodeModule } from './node-module.ts';
import { partsOf, type ByteStream } from './parts.ts';
import { spoolToDisk } from './spool.ts';

/** A file in the body of a call. */
export type FileInput = Blob | File;

/**
 * Sources for uploads: a Blob or File, the path of a file (a string or `file:` URL; only in Node), or a stream of
 * bytes, which is read once.
 */
export type UploadSource = Blob | string | URL | ByteStream;

/** A file to send. */
export interface Content {
  readonly fileName: string;
  /** In bytes. */
  readonly size: number;
  /** Its first bytes, at most {@link startBytes}. */
  start(): Promise<Uint8Array>;
  /** Whether it can be read from the beginning. */
  isRepeatable(): boolean;
  /** Reads it from the beginning. */
  open(): AsyncGenerator<Uint8Array, void, undefined>;
  /** Releases what it is read from. */
  dispose(): Promise<void>;
}

/** What is known about a source besides its content. */
export interface SourceDetails {
  readonly fileName: string | undefined;
  /** The size of a stream, if it is known. */
  readonly size: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** Streams up to this size are kept in memory, so that they can be sent again. */
  readonly keptBytes: number;
}

const startBytes = 12;
const readBytes = 256 * 1024;
const nothing = async () => {};

/**
 * Opens a source. A stream longer than `keptBytes` is sent while it is read if its size is known. Otherwise it is first
 * stored on disk, because the service has to know the size.
 *
 * @throws RunwardError if it is not a source, or cannot be read; AbortError
 */
export async function openContent(source: UploadSource, details: SourceDetails): Promise<Content> {
  const { fileName, signal, size } = details;
  if (typeof source === 'string' || source instanceof URL) return openPath(source, fileName);
  if (source instanceof Blob) {
    return ofBlob(source, fileName ?? (source instanceof File ? source.name : 'file'), signal);
  }
  if (typeof source !== 'object' || source === null || !('getReader' in source || Symbol.asyncIterator in source)) {
    throw new RunwardError('The file to upload must be a Blob, a File, a path or a stream of bytes.');
  }
  if (size !== undefined && !(Number.isSafeInteger(size) && size >= 0)) {
    throw new RunwardError('`size` must be a whole number of bytes; leave it out if it is not known.');
  }
  return openStream(source, { ...details, fileName: fileName ?? 'file' });
}

async function openPath(given: string | URL, fileName: string | undefined): Promise<Content> {
  const what = 'A path';
  const [{ createReadStream }, { stat }, { basename }, { fileURLToPath }] = await Promise.all([
    nodeModule('fs', what),
    nodeModule('fs/promises', what),
    nodeModule('path', what),
    nodeModule('url', what),
  ]);
  const path = given instanceof URL ? fileURLToPath(given) : given;
  const found = await stat(path).catch((cause: Error) => {
    throw new RunwardError(`${path} cannot be read: ${cause.message}.`, { cause });
  });
  if (!found.isFile()) throw new RunwardError(`${path} is not a file. To upload what a pipe contains, pass a stream.`);
  return {
    fileName: fileName ?? basename(path),
    size: found.size,
    start: async () => {
      for await (const part of partsOf(createReadStream(path, { end: startBytes - 1 }))) return part;
      return new Uint8Array();
    },
    isRepeatable: () => true,
    open: () => partsOf(createReadStream(path, { highWaterMark: readBytes })),
    dispose: nothing,
  };
}

function ofBlob(blob: Blob, fileName: string, signal: AbortSignal | undefined): Content {
  return {
    fileName,
    size: blob.size,
    start: () => startOf(blob),
    isRepeatable: () => true,
    open: () => partsOf(blob.stream(), signal),
    dispose: nothing,
  };
}

async function openStream(
  source: ByteStream,
  { fileName, size, signal, keptBytes }: SourceDetails & { readonly fileName: string },
): Promise<Content> {
  const parts = readable(fileName, partsOf(source, signal));
  const first: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  while (length <= keptBytes) {
    const { done, value } = await parts.next();
    if (done) {
      if (size !== undefined && size !== length) throw otherSize(fileName, length, size);
      return ofBlob(new Blob(first), fileName, signal);
    }
    // A stream may reuse its buffer.
    first.push(new Uint8Array(value));
    length += value.byteLength;
  }
  const rest = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    yield* first;
    yield* parts;
  };
  if (size === undefined && isNode) {
    const { path, remove } = await spoolToDisk(rest());
    return { ...(await openPath(path, fileName)), dispose: remove };
  }
  if (!isNode) return ofBlob(await collect(rest()), fileName, signal);
  let isOpen = false;
  return {
    fileName,
    size: size ?? 0,
    start: () => startOf(new Blob(first)),
    isRepeatable: () => !isOpen,
    async *open() {
      isOpen = true;
      yield* rest();
    },
    dispose: async () => void parts.return(),
  };
}

async function startOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.slice(0, startBytes).arrayBuffer());
}

/** Joins all parts in a Blob. Browsers keep large Blobs on disk. */
async function collect(parts: AsyncGenerator<Uint8Array>): Promise<Blob> {
  let blob = new Blob([]);
  for await (const part of parts) blob = new Blob([blob, new Uint8Array(part)]);
  return blob;
}

/**
 * The parts of a file, one by one.
 *
 * @throws RunwardError also for errors of the source
 */
export async function* readable(
  fileName: string,
  parts: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* parts;
  } catch (cause) {
    if (isRunwardError(cause)) throw cause;
    throw new RunwardError(`"${fileName}" cannot be read: ${reasonOf(cause)}.`, { cause });
  }
}

/** The message of anything that was thrown. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Creates the error for content whose size differs from the announced size. */
export function otherSize(fileName: string, actual: number, announced: number): RunwardError {
  return new RunwardError(
    `"${fileName}" has ${actual} bytes instead of ${announced}: its \`size\` is wrong, or it changed during the upload. Upload it again.`,
  );
}
