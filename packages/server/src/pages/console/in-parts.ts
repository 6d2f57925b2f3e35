/** How many calls of one page are under way at once. */
const atOnce = 8;

/** Does something with every item, a few at a time, and keeps the order. */
export async function inParts<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map((item) => work(item)))));
  }
  return results;
}
