import { once } from 'node:events';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Verdict, VirusScanner } from './virus-scanner.ts';

/** The time limit of each step: connecting, accepting a part of a file, responding. */
const stepMs = 60_000;
const maximumResponse = 4_096;

/**
 * A virus scanner that sends files to clamd, the daemon of ClamAV, with its command INSTREAM. `url` is
 * `tcp://HOST:PORT` or `unix:///PATH`. A file is clean only if the response is an explicit "OK".
 */
export function createClamd(url: string): VirusScanner {
  const address = addressOf(url);
  return {
    scan: async (content, signal) => {
      const socket = connect(address);
      const abort = () => socket.destroy(new Error('The scan was aborted.'));
      signal.addEventListener('abort', abort);
      socket.setTimeout(stepMs, () => socket.destroy(new Error('clamd does not respond.')));
      // The promises that wait for the connection or the response report errors, and reading the content those of it.
      socket.on('error', () => {});
      content.on('error', () => {});
      try {
        await once(socket, 'connect');
        const response = readResponse(socket);
        // clamd may respond and close before it has received everything.
        const sent = send(socket, content).then(() => response);
        return verdictOf(await Promise.race([response, sent]));
      } finally {
        signal.removeEventListener('abort', abort);
        socket.destroy();
        content.destroy();
      }
    },
  };
}

/** The version of the clamd at `url`, like `ClamAV 1.4.3/27600`. Throws if it does not respond within 4 s. */
export async function readClamdVersion(url: string): Promise<string> {
  const socket = connect(addressOf(url));
  socket.setTimeout(4_000, () => socket.destroy(new Error('clamd does not respond.')));
  try {
    const response = readResponse(socket);
    socket.write('zVERSION\0');
    const version = await response;
    if (version.startsWith('ClamAV ')) return version;
    throw new Error(`this is no clamd; it sent: ${version.slice(0, 100)}`);
  } finally {
    socket.destroy();
  }
}

function addressOf(url: string): NetConnectOpts {
  const { protocol, hostname, port, pathname } = new URL(url);
  return protocol === 'unix:'
    ? { path: decodeURIComponent(pathname) }
    : { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 3310) };
}

/**
 * Sends a file in parts, each after its length. Ends early if clamd stops listening. Throws if the file cannot be read.
 */
async function send(socket: Socket, content: Readable): Promise<void> {
  const write = async (part: Buffer) => {
    if (!socket.writable || socket.write(part)) return;
    const settled = new AbortController();
    const { signal } = settled;
    // The signal then removes the listener of the event that did not happen.
    await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]).catch(() => {});
    settled.abort();
  };
  await write(Buffer.from('zINSTREAM\0'));
  for await (const part of content as AsyncIterable<Buffer>) {
    if (!socket.writable) return;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    await write(length);
    await write(part);
  }
  await write(Buffer.alloc(4));
}

/** The response up to its NUL. Rejects if the connection ends without one. */
function readResponse(socket: Socket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  let failure = new Error('clamd ended the connection without a result.');
  // Uses events, because an iterator would lose a response that is followed by the failure of a write.
  socket.on('data', (part: Buffer) => {
    text += part.toString('utf8');
    const end = text.indexOf('\0');
    if (end !== -1) resolve(text.slice(0, end));
    else if (text.length > maximumResponse) socket.destroy();
  });
  socket.on('error', (error) => {
    failure = error;
  });
  socket.once('close', () => reject(failure));
  // The caller awaits the promise, unless the file cannot be read.
  promise.catch(() => {});
  return promise;
}

function verdictOf(response: string): Verdict {
  if (response === 'stream: OK') return { status: 'CLEAN' };
  const signature = /^stream: (.+) FOUND$/.exec(response)?.[1];
  // With AlertExceedsMax, a file that is too complex to examine is reported like a virus.
  if (signature?.startsWith('Heuristics.Limits.Exceeded')) return { status: 'FAILED', reason: signature };
  if (signature !== undefined) return { status: 'INFECTED', signature };
  if (response.endsWith(' ERROR')) return { status: 'FAILED', reason: response };
  throw new Error(`clamd sent an unknown result: ${response.slice(0, 200)}`);
}
