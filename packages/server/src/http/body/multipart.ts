import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import multer from '@koa/multer';
import type { FilePart, Multipart, UploadedFile } from '@runward/contract';
import { fileTypeFromFile } from 'file-type';
import type { Context } from 'koa';
import { MulterError, type StorageEngine } from 'multer';
import type { ReceivedFile, UploadFolder } from '../../adapters/upload-folder.ts';
import { ApiError, badRequest, payloadTooLarge } from '../../api-error.ts';
import { isOutOfSpace } from '../../database/errors.ts';
import { parse } from '../parse.ts';
import { abandonBody } from './abandon-body.ts';
import { allowReceiving } from './receiving-time.ts';

/** A multipart body that was read completely. */
export interface MultipartContent {
  /** Fields and files in one object. */
  readonly content: Record<string, unknown>;
  /** The same, with the name and hash of each file in place of the file. */
  readonly fingerprint: unknown;
  /** Removes the files. */
  dispose(): Promise<void>;
}

const receivingMs = 600_000;

/** Allowed size of the boundaries, headers and text fields of a body, in addition to its files. */
const allowanceBytes = 64 * 1024;

/**
 * Reads a multipart body and streams its files to the folder. Throws a 400 or 413, and removes the files in that case.
 */
export async function readMultipart(ctx: Context, body: Multipart, uploads: UploadFolder): Promise<MultipartContent> {
  if (!ctx.request.is('multipart/form-data')) {
    throw badRequest(['body: must be multipart/form-data; send the files as its parts']);
  }
  const largest = Object.values(body.files).reduce((sum, { maximumBytes }) => sum + maximumBytes, 0);
  if (Number(ctx.get('content-length')) > largest + allowanceBytes) throw tooLarge(ctx, largest);

  allowReceiving(ctx.req, receivingMs);
  const received: string[] = [];
  const dispose = async () => {
    await Promise.all(received.map((path) => uploads.remove(path)));
  };
  try {
    const { fields, parts } = await receive(ctx, body, uploads, received);
    ensureText(fields, parts);
    const content: Record<string, unknown> = { ...parse(body.fields, fields, 'body') };
    const hashes: Record<string, unknown> = { ...content };
    for (const [name, part] of Object.entries(body.files)) {
      const file = await toUploadedFile(name, part, parts[name]?.[0]);
      content[name] = file;
      hashes[name] = [file.fileName, file.sha256];
    }
    return { content, fingerprint: hashes, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The parser replaces bytes that are not UTF-8, so a replacement character shows that a text was invalid. */
function ensureText(fields: Record<string, unknown>, parts: Record<string, Part[]>): void {
  const isBroken = (text: unknown) => typeof text === 'string' && text.includes('\uFFFD');
  const problems = [
    ...Object.keys(fields)
      .filter((name) => isBroken(fields[name]))
      .map((name) => `${name}: must be valid UTF-8`),
    ...Object.keys(parts)
      .filter((name) => isBroken(parts[name]?.[0]?.originalname))
      .map((name) => `${name}: file name must be valid UTF-8`),
  ];
  if (problems.length > 0) throw badRequest(problems);
}

type Part = Express.Multer.File & ReceivedFile;

async function receive(ctx: Context, body: Multipart, uploads: UploadFolder, received: string[]) {
  const files = Object.entries(body.files);
  const fileSize = Math.max(...files.map(([, { maximumBytes }]) => maximumBytes));
  // Without this promise, the parser would read the rest of the body before it reports that a file is too large, and
  // would not report that the disk is full.
  const failed = Promise.withResolvers<never>();
  const read = multer({
    storage: storageIn(uploads, received, {
      bytes: fileSize,
      exceeded: () => failed.reject(tooLarge(ctx, fileSize)),
      full: (error) => {
        abandonBody(ctx);
        failed.reject(error);
      },
    }),
    limits: {
      fileSize,
      // The limit is higher by one, so that the error names the surplus file.
      files: files.length + 1,
      fields: 10,
      fieldSize: 16 * 1024,
      fieldNameSize: 100,
      headerPairs: 50,
      parts: files.length + 11,
    },
    defParamCharset: 'utf8',
  }).fields(files.map(([name]) => ({ name, maxCount: 1 })));
  try {
    await Promise.race([read(ctx, async () => {}), failed.promise]);
  } catch (error) {
    throw asApiError(ctx, error, fileSize);
  }
  const request = ctx.request as unknown as { body?: object; files?: Record<string, Part[]> };
  return { fields: { ...request.body }, parts: request.files ?? {} };
}

/** Fails as soon as the file is too large, so that the stored part of it is removed. */
async function* within(maximumBytes: number, stream: Readable): AsyncGenerator<Buffer> {
  let received = 0;
  // If the disk is full, the parser must get that error, and not the error of a destroyed stream.
  for await (const part of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    received += part.length;
    if (received > maximumBytes) throw new MulterError('LIMIT_FILE_SIZE');
    yield part;
  }
}

function storageIn(
  uploads: UploadFolder,
  received: string[],
  limit: { readonly bytes: number; readonly exceeded: () => void; readonly full: (error: unknown) => void },
): StorageEngine {
  const receiveFile = callbackify(async ({ stream }: Express.Multer.File) => {
    stream.once('limit', limit.exceeded);
    try {
      const stored = await uploads.receive(within(limit.bytes, stream));
      received.push(stored.path);
      return stored;
    } catch (error) {
      if (isOutOfSpace(error)) limit.full(error);
      throw error;
    }
  });
  return {
    _handleFile: (_request, file, done) => receiveFile(file, done),
    // Received files are removed at the end of the request.
    _removeFile: (_request, _file, done) => done(null),
  };
}

async function toUploadedFile(name: string, { contentTypes }: FilePart, part: Part | undefined): Promise<UploadedFile> {
  if (!part) throw badRequest([`${name}: is required; send one file part of this name`]);
  const { originalname: fileName, size, sha256, path } = part;
  if (size === 0) throw badRequest([`${name}: must not be empty`]);
  const contentType = (await fileTypeFromFile(path))?.mime ?? 'application/octet-stream';
  if (contentTypes.length > 0 && !contentTypes.includes(contentType)) {
    const given = extname(fileName) || 'this file';
    throw badRequest([`${name}: content must be ${contentTypes.join(', ')}; ${given} contains ${contentType}`]);
  }
  return { fileName, contentType, size, sha256, path };
}

function asApiError(ctx: Context, error: unknown, largest: number): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof MulterError) {
    const { code, field = 'body' } = error;
    if (code === 'LIMIT_FILE_SIZE') return tooLarge(ctx, largest);
    if (code === 'LIMIT_UNEXPECTED_FILE') return badRequest([`${field}: unexpected or repeated file part; remove it`]);
    return badRequest([`${field}: ${error.message}; send less in one request`]);
  }
  // Other problems of the body: a missing boundary, an early end, a broken header.
  const isBodyError = error instanceof Error && !('code' in error) && !('syscall' in error);
  return isBodyError ? badRequest([`body: is not valid multipart/form-data (${error.message})`]) : error;
}

/** The rest of the body is not read, so the connection cannot be reused. */
function tooLarge(ctx: Context, largest: number) {
  abandonBody(ctx);
  return payloadTooLarge(`${Math.floor(largest / 1024 / 1024)} MB`);
}
