/** Whether two JSON values are equal. The order of keys does not matter, and undefined is the same as absent. */
function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  return differingKeys(a as Properties, b as Properties).length === 0;
}

type Properties = Readonly<Record<string, unknown>>;

/** The keys of either object whose values differ. */
export function differingKeys(a: Properties, b: Properties): string[] {
  const missing = Object.keys(b).filter((key) => !(key in a));
  return [...Object.keys(a), ...missing].filter((key) => !sameValue(a[key], b[key]));
}
