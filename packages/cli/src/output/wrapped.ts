import textWidth from 'fast-string-width';

/**
 * Wraps a text to lines of at most `width` columns. Words are not broken, because they may be IDs or URLs; a longer
 * word has its own line.
 */
export function wrapped(text: string, width: number): string[] {
  const [first = '', ...words] = text.split(' ');
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (textWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
