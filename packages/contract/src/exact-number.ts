const maximumDigits = 15;

/**
 * The number that a decimal text like `12.5` or `1e3` states; undefined if it states none, or one that would be
 * rounded: of more than 15 significant digits, too large, or too close to 0.
 */
export function exactNumber(text: string): number | undefined {
  const [, mantissa] = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.exec(text) ?? [];
  if (mantissa === undefined) return undefined;
  const digits = mantissa.replace('.', '').replace(/^0+/, '');
  let count = digits.length;
  while (digits[count - 1] === '0') count -= 1;
  if (count === 0) return 0;
  if (count > maximumDigits) return undefined;
  const value = Number(text);
  const [stored] = Math.abs(value)
    .toExponential(count - 1)
    .split('e');
  return stored?.replace('.', '') === digits.slice(0, count) ? value : undefined;
}
