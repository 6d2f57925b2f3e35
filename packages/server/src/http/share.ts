import { isBinary, isMultipart, isStream, type Endpoint } from '@runward/contract';
import type { Context } from 'koa';
import type { Release, WorkGate } from '../limits/work-gate.ts';
import { defaultMaximumBytes } from './body/read-body.ts';
import type { Caller } from './caller/authenticate.ts';
import type { Input } from './read-input.ts';

/** What a request takes of the share of its organization. */
export interface Share {
  /** Waits until the request may begin. Throws a 429. */
  begin(input: Pick<Input, 'query'>): Promise<void>;
  /** Releases what the request has taken as soon as its response is sent. The work of a client that has left counts until it ends. */
  end(): void;
}

/** What a request counts as if its response can be large. */
const largeWeight = 8;
/** A large request that takes less than this, in milliseconds, delays nobody. */
const shortMs = 10;
const longestRestMs = 1_000;
const nothing = () => {};

/**
 * Takes a request's share of what its organization may have in work, and releases it when the response was sent: until then its memory is in
 * use. Files and exports go through memory in small parts, so that while they are sent or received they are only counted. A PDF has a queue
 * of its own, in which it may wait for long. Throws a 429.
 */
export function takeShare(ctx: Context, endpoint: Endpoint, caller: Caller | null, work: WorkGate): Share {
  const { body, response, large = false } = endpoint;
  const isTransfer = isStream(response) || isBinary(body) || isMultipart(body);
  // Without a caller, the URL of a file stands for itself, and any other request for its client.
  const name = caller?.actor.organizationId ?? (isTransfer ? ctx.path : ctx.ip);
  const untilSent: Release[] = [];
  ctx.res.once('close', () => {
    for (const release of untilSent) release();
  });
  const take = (release: Release) => {
    untilSent.push(release);
    return release;
  };
  const received =
    isBinary(body) || isMultipart(body) ? nothing : take(work.receive(name, bytesToReceive(ctx, endpoint)));
  if (isTransfer) take(work.stream(name));
  let ended: Release = nothing;
  return {
    begin: async ({ query }) => {
      received();
      if (isBinary(body) || (isStream(response) && response.contentTypes.includes('application/pdf'))) return;
      const isLarge = typeof large === 'boolean' ? large : large.some((parameter) => hasValue(query, parameter));
      const release = await work.begin(name, isLarge ? largeWeight : 1);
      ended = isLarge ? afterRest(release) : release;
    },
    end: () => {
      if (ctx.res.closed) ended();
      else ctx.res.once('pipe', take(ended));
    },
  };
}

/**
 * Releases what a large request has taken after as long again as it took, so that such requests of an organization leave others at least half
 * of the time of the process.
 */
function afterRest(release: Release): Release {
  const began = performance.now();
  return () => {
    const took = performance.now() - began;
    if (took < shortMs) release();
    else setTimeout(release, Math.min(took, longestRestMs)).unref();
  };
}

/** What a body takes at most; a compressed one, and one of unknown length, as much as the endpoint accepts. */
function bytesToReceive({ req: { headers } }: Context, { maximumBytes = defaultMaximumBytes }: Endpoint): number {
  const isKnown = headers['transfer-encoding'] === undefined && headers['content-encoding'] === undefined;
  return isKnown ? Math.min(Number(headers['content-length'] ?? 0), maximumBytes) : maximumBytes;
}

function hasValue(query: unknown, name: string): boolean {
  return (query as Readonly<Record<string, unknown>> | undefined)?.[name] !== undefined;
}
