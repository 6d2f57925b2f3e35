/** A text as a word of a command line, in quotes if a shell would change it. */
export function quoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`;
}
