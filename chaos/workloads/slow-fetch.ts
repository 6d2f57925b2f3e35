import { setTimeout as pause } from 'node:timers/promises';

const partBytes = 256 * 1024;
const pauseMs = 60;

/** Like `fetch`, but sends files in parts with pauses, as over a slow line, so that faults happen in between. */
export const slowFetch: typeof fetch = async (input, init) => {
  if (!(init?.body instanceof Blob || init?.body instanceof FormData)) return fetch(input, init);
  const { body, headers } = new Request(input, init);
  if (!body) return fetch(input, init);
  return fetch(input, { ...init, headers, body: ReadableStream.from(slowly(body)), duplex: 'half' });
};

async function* slowly(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    for (let start = 0; start < chunk.length; start += partBytes) {
      yield chunk.subarray(start, start + partBytes);
      await pause(pauseMs);
    }
  }
}
