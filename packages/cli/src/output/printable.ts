// Titles and messages are user input. Control characters could move the cursor, and bidirectional overrides could
// reorder a line.
const unprintable = /[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu;

/**
 * Makes a text safe to print on one line of a terminal. Line ends and tabs become spaces; control characters become
 * dots.
 */
export function printable(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(unprintable, '·');
}

/**
 * Makes a text of several lines safe to print on a terminal. Control characters other than line ends and tabs become
 * dots.
 */
export function printableLines(text: string): string {
  return text.replace(unprintable, (character) => (/[\r\n\t]/.test(character) ? character : '·'));
}

/**
 * JSON with all control characters escaped. JSON.stringify does not escape those beyond ASCII, which some terminals
 * interpret.
 */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replace(/[\u{7f}-\u{9f}\u{2028}\u{2029}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
