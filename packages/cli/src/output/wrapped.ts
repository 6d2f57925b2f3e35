import textWidth from 'fast-string-width';

/** A text in lines of at most `width` columns. No word is broken, because it may be an ID or a URL; a longer one has a line of its own. */
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
