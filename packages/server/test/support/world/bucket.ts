import { openServer } from '@runward/testing/http-server';

/** The objects of a bucket by their paths, and where the bucket is. */
export interface TestBucket extends AsyncDisposable {
  /** As `FILES_URL`. */
  readonly url: string;
  /** The URL of a bucket that does not exist. */
  readonly missingUrl: string;
  readonly objects: ReadonlyMap<string, Buffer>;
  /** How many requests stored an object. */
  stored(): number;
}

/** Credentials that the SDK for S3 finds. Nothing checks them. */
export const bucketCredentials = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };

/** A server on loopback with the requests of S3 that store, read and delete one object. It checks no signatures. */
export async function startBucket({ readOnly = false } = {}): Promise<TestBucket> {
  const objects = new Map<string, Buffer>();
  const server = await openServer((res, { method, url, bytes }) => {
    const path = new URL(url, 'http://bucket').pathname;
    const fail = (status: number, code: string) =>
      res
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(method === 'HEAD' ? undefined : `<Error><Code>${code}</Code><Message>Says the bucket</Message></Error>`);
    if (!path.startsWith('/files/')) return fail(404, 'NoSuchBucket');
    if (method === 'PUT' && readOnly) return fail(403, 'AccessDenied');
    if (method === 'PUT') objects.set(path, bytes);
    if (method === 'DELETE') return res.writeHead(objects.delete(path) ? 204 : 404).end();
    const object = objects.get(path);
    if (!object) return fail(404, 'NoSuchKey');
    res.writeHead(200, method === 'PUT' ? {} : { 'content-length': object.length });
    return res.end(method === 'GET' ? object : undefined);
  });
  const urlOf = (bucket: string) => `s3://${bucket}?endpoint=${server.baseUrl}&region=test`;
  return {
    url: urlOf('files'),
    missingUrl: urlOf('absent'),
    objects,
    stored: () => server.received.filter(({ method }) => method === 'PUT').length,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
