import { isBinary, isMultipart, isStream, type Endpoint } from '@runward/contract';
import type { Context } from 'koa';
import type { Release } from '../limits/turns.ts';
import type { WorkGate } from '../limits/work-gate.ts';
import { defaultMaximumBytes } from './body/read-body.ts';
import type { Caller } from './caller/authenticate.ts';

/** The properties of an endpoint that determine what its requests use. */
type Use = Pick<Endpoint, 'body' | 'response' | 'large' | 'serial' | 'maximumBytes'>;

/** What a request uses of its organization's share. */
export interface Share {
  /** Waits until the request may begin: its body has arrived, and is parsed next. Throws a 429. */
  readonly begin: (query: unknown) => Promise<void>;
  /** Counts the request until this work ends, even if its response says before that it took too long. */
  readonly during: (work: Promise<unknown>) => void;
  /**
   * Releases what the request uses as soon as its response is sent. If the client disconnects, the work still counts
   * until it ends.
   */
  end(): void;
}

/** A request with a longer body is a large one, because it takes the process long to parse. */
const smallBytes = 256 * 1_024;
const nothing = () => {};

/**
 * Counts a request against its organization's share of work until the response is sent, because its memory is in use
 * until then. Files and exports use little memory at a time, so that only their number is limited while they are sent
 * or received. A PDF may wait long, in a separate queue. Throws a 429.
 */
export function takeShare(ctx: Context, endpoint: Use, caller: Caller | null, work: WorkGate): Share {
  const { body, response, large = false, serial = false } = endpoint;
  const isTransfer = isStream(response) || isBinary(body) || isMultipart(body);
  // Requests without a caller share by the URL of a file, or else by the address of the client.
  const name = caller?.actor.organizationId ?? (isTransfer ? ctx.path : ctx.ip);
  const untilSent: Release[] = [];
  ctx.res.once('close', () => {
    for (const release of untilSent) release();
  });
  const take = (release: Release) => {
    untilSent.push(release);
    return release;
  };
  const bytes = isBinary(body) || isMultipart(body) ? 0 : bytesToReceive(ctx, endpoint);
  const received = take(work.receive(name, bytes));
  if (isTransfer) take(work.stream(name));
  let ended: Release = nothing;
  let working: Promise<unknown> | null = null;
  return {
    begin: async (query) => {
      if (!isBinary(body) && !(isStream(response) && response.contentTypes.includes('application/pdf'))) {
        const isLarge =
          bytes > smallBytes || (typeof large === 'boolean' ? large : large.some((name) => hasValue(query, name)));
        if (isLarge) ended = await work.beginLarge(name);
        else ended = await (serial ? work.beginSerial(name) : work.begin(name));
      }
      received();
    },
    during: (work) => {
      working = work.finally(() => {
        working = null;
      });
      working.catch(nothing);
    },
    end: () => {
      if (working) void working.finally(ended).catch(nothing);
      else if (ctx.res.closed) ended();
      else ctx.res.once('pipe', take(ended));
    },
  };
}

/** The maximum size of a body. If it is compressed or of unknown length, the maximum that the endpoint accepts. */
export function bytesToReceive(
  { req: { headers } }: Context,
  { maximumBytes = defaultMaximumBytes }: Pick<Endpoint, 'maximumBytes'>,
): number {
  const isKnown = headers['transfer-encoding'] === undefined && headers['content-encoding'] === undefined;
  return isKnown ? Math.min(Number(headers['content-length'] ?? 0), maximumBytes) : maximumBytes;
}

function hasValue(query: unknown, name: string): boolean {
  return (query as Readonly<Record<string, unknown>> | undefined)?.[name] !== undefined;
}
