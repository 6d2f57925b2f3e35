/** The most items that a text lists. */
const maximumItems = 10;

/** A text that lists the first ten items, and says how many more there are. */
export function firstOf<Item>(items: readonly Item[], separator: string, show: (item: Item) => string): string {
  const texts = items.slice(0, maximumItems).map(show);
  if (items.length > maximumItems) texts.push(`and ${items.length - maximumItems} more`);
  return texts.join(separator);
}
