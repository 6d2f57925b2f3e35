/** The first items of a list, and how many more there are. */
export function andOthers(items: readonly string[], most = 2): string {
  const shown = items.slice(0, most).join(', ');
  return items.length > most ? `${shown} and ${items.length - most} more` : shown;
}
