/** Maximum length of a title in UTF-16 units, as in the contract. */
export const maximumTitleLength = 255;

const copySuffix = ' (copy)';

/** Whether a text has more than `most` characters: Unicode code points, as in the contract. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || Array.from(text).length > most);
}

/**
 * The first `length` UTF-16 units of a text, or one less so that no surrogate pair is split. Lone surrogates become
 * U+FFFD.
 */
export function cut(text: string, length: number): string {
  const start = text.toWellFormed().slice(0, length);
  return start.isWellFormed() ? start : start.slice(0, -1);
}

/** The title of a copy: `Onboarding (copy)`. Shortens the original title to keep within the limit. */
export function copyTitle(title: string): string {
  return cut(title, maximumTitleLength - copySuffix.length) + copySuffix;
}

/**
 * A text as it is compared without regard to case: in Unicode normal form C, and with one form of the Greek sigma, of
 * which the last letter of a word has another one in lower case.
 */
export function caseFolded(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}
