/** Whether two JSON values are equal. The order of keys does not matter, and undefined is the same as absent. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  return differingKeys(a, b).length === 0;
}

/** The keys of either object whose values differ. */
export function differingKeys(a: object, b: object): string[] {
  const values: Readonly<Record<string, unknown>>[] = [{ ...a }, { ...b }];
  const keys = new Set(values.flatMap((each) => Object.keys(each)));
  return [...keys].filter((key) => !sameValue(values[0]?.[key], values[1]?.[key]));
}
