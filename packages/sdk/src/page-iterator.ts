import { RunwardError } from './errors.ts';
import type { Call, List, ListPage } from './types.ts';

/** A list over a function that requests the page a cursor leads to; without a cursor, the first. */
export function toList(request: (cursor?: string) => Call<ListPage>): List<ListPage> {
  let firstPage: Call<ListPage> | undefined;
  const first = () => (firstPage ??= request());

  async function* pages(): AsyncGenerator<ListPage, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await request(cursor);
      yield page;
      const next = page.nextCursor ?? undefined;
      if (next !== undefined && next === cursor) {
        throw new RunwardError('The server answered the cursor it was asked with; the list would never end.');
      }
      cursor = next;
    } while (cursor !== undefined);
  }

  async function* items(): AsyncGenerator<unknown, void, undefined> {
    for await (const page of pages()) yield* page.data;
  }

  async function toArray({ limit }: { readonly limit: number }): Promise<unknown[]> {
    if (!Number.isInteger(limit) || limit < 1) {
      throw new RunwardError('toArray needs `limit`, the most items to collect: a whole number, 1 or more.');
    }
    const collected: unknown[] = [];
    for await (const item of items()) {
      collected.push(item);
      if (collected.length === limit) break;
    }
    return collected;
  }

  return {
    // oxlint-disable-next-line unicorn/no-thenable -- awaiting a list is its documented use, and must not be what sends it
    then: (onPage, onError) => first().then(onPage, onError),
    catch: (onError) => first().catch(onError),
    finally: (onEnd) => first().finally(onEnd),
    withResponse: () => first().withResponse(),
    [Symbol.asyncIterator]: items,
    [Symbol.toStringTag]: 'List',
    pages,
    toArray,
  };
}
