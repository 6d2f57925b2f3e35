/**
 * Where a line of a CSV begins outside of quotes, as a program reads it that does not know RFC 4180: what follows each
 * line break there.
 */
export function bareLines(csv: string): string[] {
  const outside = csv.split('"').filter((_, index) => index % 2 === 0);
  return outside.flatMap((part, index) => part.split(/\r\n|\r|\n/).slice(index === 0 ? 0 : 1));
}

/** What a spreadsheet takes for a formula. */
export const formula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Characters that matter to CSV and to spreadsheets. */
export const csvCharacters = '=+-@\t\r\n",;\'1\u2028\uFF1D'.split('');
