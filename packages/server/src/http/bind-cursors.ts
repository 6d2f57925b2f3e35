import { hash } from 'node:crypto';
import type { Endpoint, TotalMode } from '@runward/contract';
import { badRequest } from '../api-error.ts';
import type { Input } from './read-input.ts';

/** The length of a digest in a cursor: 64 bits as base64url. */
const digestLength = 11;

/** A list of one request. */
export interface BoundList {
  /** The query with the cursor as the handler has issued it. */
  readonly query: unknown;
  /** Binds the next cursor of the handler's result to this list. */
  readonly bind: (result: unknown) => unknown;
}

/**
 * Binds cursors to their list: each starts with a digest of the list's path, its parameters and its filters. `limit`
 * and `total` may differ from page to page. Throws a 400 for the cursor of another list.
 */
export function bindCursors({ path, query: schema }: Endpoint, { params, query }: Input): BoundList {
  if (!schema || !('cursor' in schema.shape)) return { query, bind: (result) => result };
  const {
    cursor,
    limit: _limit,
    total: _total,
    ...filters
  } = query as {
    cursor?: string;
    limit?: number;
    total?: TotalMode;
  };
  const digest = hash('sha256', JSON.stringify([path, params, filters]), 'base64url');
  const prefix = digest.slice(0, digestLength);
  if (cursor !== undefined && !cursor.startsWith(prefix)) {
    throw badRequest([
      'cursor: must be the nextCursor of an earlier response of this list with the same filters; omit it to start with the first page',
    ]);
  }
  return {
    query: cursor === undefined ? query : { ...(query as object), cursor: cursor.slice(digestLength) },
    bind: (result) => {
      const { nextCursor } = result as { nextCursor: string | null };
      return nextCursor === null ? result : { ...(result as object), nextCursor: prefix + nextCursor };
    },
  };
}
