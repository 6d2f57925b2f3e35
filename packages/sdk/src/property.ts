/** A property of a value of unknown shape; undefined if there is none. */
export function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
