import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../workloads/client.ts';

/** Reads the event feed from its beginning to its current end. Returns the event ids. */
export async function readFeed(caller: Caller): Promise<string[]> {
  return (await readOn(caller, undefined)).ids;
}

/** Follows the feed. The returned function reads the rest and returns all ids in feed order. */
export function followFeed(caller: Caller): () => Promise<string[]> {
  let isOver = false;
  const follow = async () => {
    const ids: string[] = [];
    let after: string | undefined;
    for (let last = false; !last; await pause(300)) {
      last = isOver;
      const read = await readOn(caller, after);
      ids.push(...read.ids);
      ({ after } = read);
    }
    return ids;
  };
  const all = follow();
  // A failure is reported by the returned function.
  all.catch(() => {});
  return () => {
    isOver = true;
    return all;
  };
}

async function readOn(caller: Caller, from: string | undefined) {
  const ids: string[] = [];
  for (let after = from; ;) {
    const query = after === undefined ? { limit: 50 } : { limit: 50, after };
    const page = await caller.read((api, options) => api.events.list(query, options));
    ids.push(...page.data.map(({ deliveryId }) => deliveryId));
    ({ after } = page);
    if (!page.hasMore) return { ids, after };
  }
}
