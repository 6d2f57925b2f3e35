import { isBinary, isMultipart, isStream, type Endpoint } from '@runward/contract';
import type { Context } from 'koa';
import type { WorkGate } from '../limits/work-gate.ts';
import type { Caller } from './caller/authenticate.ts';
import type { Input } from './read-input.ts';

/** What a request takes of the share of its organization. */
export interface Share {
  /** Waits until the request may begin. Throws a 429. */
  begin(input: Pick<Input, 'query'>): Promise<void>;
}

/** What a request counts as if its response can be large. */
const largeWeight = 4;

/**
 * Takes a request's share of what its organization may have in work, and releases it when the response was sent: until then its memory is in
 * use. Files and exports go through memory in small parts, so that while they are sent or received they are only counted. Throws a 429.
 */
export function takeShare(ctx: Context, endpoint: Endpoint, caller: Caller | null, work: WorkGate): Share {
  const { body, response, large = false } = endpoint;
  const isTransfer = isStream(response) || isBinary(body) || isMultipart(body);
  // Without a caller, the URL of a file stands for itself, and any other request for its client.
  const name = caller?.actor.organizationId ?? (isTransfer ? ctx.path : ctx.ip);
  if (isTransfer) ctx.res.once('close', work.stream(name));
  return {
    begin: async ({ query }) => {
      if (isBinary(body)) return;
      const isLarge = typeof large === 'boolean' ? large : large.some((parameter) => hasValue(query, parameter));
      const release = await work.begin(name, isLarge ? largeWeight : 1);
      if (ctx.res.closed) release();
      ctx.res.once('close', release).once('pipe', release);
    },
  };
}

function hasValue(query: unknown, name: string): boolean {
  return (query as Readonly<Record<string, unknown>> | undefined)?.[name] !== undefined;
}
