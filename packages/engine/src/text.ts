/** The first `length` UTF-16 units of a text, one less where the cut would split a surrogate pair. Lone surrogates become U+FFFD. */
export function cut(text: string, length: number): string {
  const start = text.toWellFormed().slice(0, length);
  return start.isWellFormed() ? start : start.slice(0, -1);
}
