/** A `timestamptz` as PostgreSQL writes it, in text or JSON, as an ISO 8601 instant in UTC with milliseconds. */
export function instant(text: string): string {
  const zone = text.lastIndexOf('+00');
  // Connections run in UTC, so that cutting and padding is enough; a date need not be computed for every column of every row.
  if (zone < 19) return new Date(text).toISOString();
  const fraction = zone > 19 ? text.slice(20, zone).padEnd(3, '0').slice(0, 3) : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
}

/** The same for a column that may be null. */
export function instantOrNull(text: string | null): string | null {
  return text === null ? null : instant(text);
}
