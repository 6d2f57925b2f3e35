/**
 * A text as it is compared without regard to case: in Unicode normal form C, and with one form of the Greek sigma. The
 * engine has the same function, which this package cannot import.
 */
export function caseFolded(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}
