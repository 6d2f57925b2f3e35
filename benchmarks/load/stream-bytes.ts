import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A request for a file. */
export interface FileRequest extends Pick<RequestOptions, 'agent' | 'method'> {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const part = randomBytes(1024 * 1024);

/** Sends a body of random bytes. Throws on an error response. */
export async function sendBytes({ url, ...options }: FileRequest, bytes: number): Promise<void> {
  const call = request(url, { ...options, headers: { ...options.headers, 'content-length': bytes } });
  const responded = once(call, 'response') as Promise<[IncomingMessage]>;
  await Promise.all([pipeline(Readable.from(partsOf(bytes)), call), responded]);
  await drop((await responded)[0], url);
}

/** Sends a small body, or none, and drops the response. Returns its size. Throws on an error response. */
export async function receiveBytes({ url, ...options }: FileRequest, body?: string): Promise<number> {
  const call = request(url, options).end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return drop(response, url);
}

function* partsOf(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= part.length) yield part.subarray(0, Math.min(left, part.length));
}

async function drop(response: IncomingMessage, url: string): Promise<number> {
  const { statusCode = 0 } = response;
  if (statusCode < 200 || statusCode >= 300) throw new Error(`${url} returned ${statusCode}.`);
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) size += chunk.length;
  return size;
}
