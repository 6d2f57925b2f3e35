import { RunwardError } from './errors/errors.ts';
import type { Call, List, ListPage } from './types.ts';

/** Creates a list from a function that requests one page: the page at a cursor, or the first page without one. */
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
        throw new RunwardError('The server returned the same cursor twice; the list would never end.');
      }
      cursor = next;
    } while (cursor !== undefined);
  }

  async function* items(): AsyncGenerator<unknown, void, undefined> {
    for await (const page of pages()) yield* page.data;
  }

  // Without a compiler, the options can be missing.
  async function toArray(options?: { readonly limit: number }): Promise<unknown[]> {
    const { limit = 0 } = options ?? {};
    if (!Number.isInteger(limit) || limit < 1) {
      throw new RunwardError(
        'toArray: `limit` must be a whole number, 1 or more; it is the maximum number of items, as in toArray({ limit: 1000 }).',
      );
    }
    const collected: unknown[] = [];
    for await (const item of items()) {
      collected.push(item);
      if (collected.length === limit) break;
    }
    return collected;
  }

  return {
    // oxlint-disable-next-line unicorn/no-thenable -- awaiting a list is documented, and it must not be sent before
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
