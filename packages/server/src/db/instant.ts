/** A `timestamptz` as PostgreSQL writes it, in text or JSON, as an ISO 8601 instant in UTC with milliseconds. */
export function instant(text: string): string {
  return new Date(text).toISOString();
}

/** The same for a column that may be null. */
export function instantOrNull(text: string | null): string | null {
  return text === null ? null : instant(text);
}
