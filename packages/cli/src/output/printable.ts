// Titles and messages come from other people: control characters could move the cursor, and bidirectional overrides reorder a line.
const unprintable = /[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu;

/** Text for a terminal, on one line: line ends and tabs become spaces, what would steer the terminal becomes a dot. */
export function printable(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(unprintable, '·');
}

/** JSON without raw control characters: those beyond ASCII, which JSON.stringify leaves, would steer some terminals. */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replace(/[\u{7f}-\u{9f}\u{2028}\u{2029}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
