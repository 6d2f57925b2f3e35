/**
 * The canonical JSON text of a value (RFC 8785): without whitespace, with the members of objects ordered by the UTF-16
 * code units of their names, and with numbers and strings as ECMAScript writes them. Two values have the same text if
 * and only if they are equal as JSON. Members that are undefined are left out. Lone surrogates, which RFC 8785 rejects,
 * are escaped: the service accepts no text with one, and a line that somebody has put one into is to be reported as
 * changed, like every other.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let members = '';
  // Sorting without a function compares code units.
  for (const name of Object.keys(value).sort()) {
    const member: unknown = value[name as keyof typeof value];
    if (member !== undefined) members += `${members && ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}
