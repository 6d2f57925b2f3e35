import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ByteRange } from '@runward/contract';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  getSignedUrl,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  Upload,
} from '@runward/s3';
import type { FilesKey } from '../config.ts';
import { attachment } from './attachment.ts';
import type { FileStore, ListedFile } from './file-store.ts';

/** Where the files are stored. */
export interface S3FileStoreOptions {
  readonly bucket: string;
  /** URL of an S3-compatible service; undefined for AWS. */
  readonly endpoint?: string | undefined;
  /** If undefined, the environment determines it (`AWS_REGION`). */
  readonly region?: string | undefined;
  /** After this time without a byte in either direction, a request fails, in milliseconds. */
  readonly stallMs?: number;
}

/** Much longer than copying 5 GiB takes, during which the service may be silent. */
const usualStallMs = 120_000;

/**
 * The options in the URL of a bucket, like `s3://files?endpoint=https://s3.example.com&region=eu-west-1`. Throws if the
 * URL is invalid.
 */
export function parseS3Url(text: string): S3FileStoreOptions {
  const url = new URL(text);
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !/^https?:\/\//.test(endpoint))
    throw new Error('endpoint must be an http or https URL');
  return { bucket: url.hostname, endpoint, region: url.searchParams.get('region') ?? undefined };
}

/**
 * A file store in a bucket of an S3-compatible service. Without a key, the credentials are those that all AWS tools
 * find. Clients exchange files with the S3 service directly.
 */
export function openS3FileStore(
  { bucket: Bucket, endpoint, region, stallMs = usualStallMs }: S3FileStoreOptions,
  key?: FilesKey,
): FileStore & { close(): void } {
  const client = new S3Client({
    ...(key && { credentials: key }),
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(region !== undefined && { region }),
    // Without limits, uploads and workers would wait forever for a service that does not respond.
    requestHandler: { connectionTimeout: 10_000, socketTimeout: stallMs },
    // S3-compatible services may not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const secondsUntil = (time: Date) => Math.max(1, Math.floor((time.getTime() - Date.now()) / 1000));

  async function find(Key: string) {
    const size = await client.send(new HeadObjectCommand({ Bucket, Key })).then(
      ({ ContentLength = 0 }) => ContentLength,
      (error: unknown) => {
        if (statusOf(error) === 404) return null;
        throw error;
      },
    );
    if (size === null) return null;
    const read = async (use: (part: Uint8Array) => void) => {
      for await (const part of open(Key, undefined) as AsyncIterable<Buffer>) use(part);
    };
    return { size, open: (range?: ByteRange) => open(Key, range), read };
  }

  function open(Key: string, range: ByteRange | undefined): Readable {
    const output = new PassThrough();
    const aborted = new AbortController();
    output.once('close', () => aborted.abort());
    const Range = range && `bytes=${range.start}-${range.end}`;
    const read = async () => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range }), { abortSignal: aborted.signal });
      await pipeline(Body as Readable, output);
    };
    read().catch((error: Error) => output.destroy(error));
    return output;
  }

  async function* list(): AsyncGenerator<ListedFile> {
    let ContinuationToken: string | undefined;
    do {
      const page = await client.send(new ListObjectsV2Command({ Bucket, ContinuationToken }));
      for (const { Key, Size = 0, LastModified } of page.Contents ?? []) {
        if (Key !== undefined) yield { key: Key, size: Size, storedAt: LastModified ?? new Date() };
      }
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  return {
    put: async (Key, path) => {
      const { size } = await stat(path);
      const Body = createReadStream(path);
      try {
        if (size <= 8 * 1024 * 1024) {
          await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: size }));
        } else {
          await new Upload({ client, params: { Bucket, Key, Body } }).done();
        }
      } finally {
        // A failed request leaves the file open, and an open file keeps its space on the disk after it was removed.
        Body.destroy();
      }
    },
    copy: async (from, Key) => {
      const CopySource = encodeURI(`${Bucket}/${from}`);
      await client.send(new CopyObjectCommand({ Bucket, Key, CopySource }));
    },
    remove: async (Key) => void (await client.send(new DeleteObjectCommand({ Bucket, Key }))),
    find,
    list,
    downloadUrl: async (Key, { fileName, contentType, expiresAt }) => {
      const response = {
        ResponseContentDisposition: attachment(fileName),
        ResponseContentType: contentType,
        ResponseCacheControl: 'private',
      };
      return getSignedUrl(client, new GetObjectCommand({ Bucket, Key, ...response }), {
        expiresIn: secondsUntil(expiresAt),
      });
    },
    uploadUrl: async (Key, { contentType, size, expiresAt }) =>
      getSignedUrl(client, new PutObjectCommand({ Bucket, Key, ContentType: contentType, ContentLength: size }), {
        expiresIn: secondsUntil(expiresAt),
        signableHeaders: new Set(['content-type', 'content-length']),
      }),
    // The URLs lead to the S3 service.
    readSigned: async () => null,
    writeSigned: async () => null,
    close: () => client.destroy(),
  };
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
