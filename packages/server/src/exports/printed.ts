/**
 * A text to print in a document: its direction and its lines. Each line consists of pieces between which it can break.
 */
export interface Printed {
  readonly rtl: boolean;
  readonly lines: readonly (readonly string[])[];
}

/**
 * How wide a word may be to fit into a line, by place, in letters of average width. Breaking wider words adds invisible
 * spaces to the text.
 */
const longestWords = { cell: 14, label: 22, heading: 30, value: 48 } as const;
/** Characters that are wider than 0.6 em in the fonts of the package, with their widths in letters. */
const veryWide = /[\u2e3a\u2e3b\ufb50-\ufdff\p{Script=Canadian_Aboriginal}\p{Script=Cuneiform}\p{Script=Ogham}]/u;
const wide = /[@%MWmwÆæŒœЖМФШЩЫЮжмфшщыю]|(?!\p{ASCII})[\p{N}\p{P}\p{S}\uff01-\uff60]/u;
const widths = { veryWide: 5, wide: 1.7, capital: 1.3, other: 1 } as const;
/** A character with its marks. */
const characters = /[^][\p{M}\p{Cf}]*/gu;
const pieceWidth = 7;
const word = /[^\s\u200b]+/gu;

/** Characters that are not printed: control characters and code points that are not characters. */
// oxlint-disable-next-line no-control-regex -- they are what it removes
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff\ufffe\uffff]/gu;
/**
 * Characters that embed or override a direction. They are not printed, because they could show words of the service
 * backwards, and because the compiler aborts when many of them are nested.
 */
const directions = /[\u202a-\u202e\u2066-\u2069]/gu;
/**
 * Ten thousand marks without base characters take longer than a whole large report, because lines could break before
 * each of them, and a stack of marks covers the lines above. A character keeps at most 8 marks, more than any script
 * needs. Marks without a base character get a no-break space, as Unicode recommends.
 */
const marksBeyond = /(\p{M}{8})\p{M}+/gu;
const beforeLoneMarks = /(?<=^|\s|(?![\u200c\u200d])\p{Cf})(?=\p{Cf}{0,8}\p{M})/gmu;
const firstLetter = /\p{L}/u;
const rtl = String.raw`\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}`;
const rightToLeft = new RegExp(`[${rtl}]`, 'u');
/**
 * Words of the other direction. Invisible characters isolate them, so that numbers and punctuation beside them keep
 * their places.
 */
const foreign = {
  ltr: new RegExp(String.raw`[${rtl}][${rtl}\p{M}]*(?:[^\p{L}\p{N}\n]{1,9}[${rtl}][${rtl}\p{M}]*)*`, 'gu'),
  rtl: new RegExp(String.raw`\+?(?![${rtl}])[\p{L}\p{N}](?:[^${rtl}\n]*(?![${rtl}])[\p{L}\p{N})])?`, 'gu'),
};

/** Makes any text printable at a place in a document. Its direction is that of its first letter. */
export function printed(text: string, place: keyof typeof longestWords = 'value'): Printed {
  const clean = oneLine(text, '\n');
  const isRtl = rightToLeft.test(firstLetter.exec(clean)?.[0] ?? '');
  const isolated = clean.replaceAll(foreign[isRtl ? 'rtl' : 'ltr'], isRtl ? '\u2066$&\u2069' : '\u2067$&\u2069');
  return { rtl: isRtl, lines: isolated.split('\n').map((line) => piecesOf(line, longestWords[place])) };
}

/** A text in one line, for the metadata of a document. */
export function oneLine(text: string, lineBreak = ' '): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?|[\u2028\u2029]|\n/g, lineBreak)
    .replaceAll('\t', ' ')
    .replaceAll(unprintable, '')
    .replaceAll(directions, '')
    .replaceAll(marksBeyond, '$1')
    .replaceAll(beforeLoneMarks, '\u00a0');
}

function piecesOf(line: string, longestWord: number): string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const { index, 0: found } of line.matchAll(word)) {
    const [first, ...others] = brokenUp(found, longestWord);
    if (first === undefined) continue;
    pieces.push(line.slice(end, index) + first, ...others);
    end = index + found.length;
  }
  const rest = line.slice(end);
  return pieces.length === 0 || rest !== '' ? [...pieces, rest] : pieces;
}

/** The pieces of a word that is too wide for its line. Empty if it fits. */
function brokenUp(found: string, longestWord: number): string[] {
  const most = veryWide.test(found) ? widths.veryWide : widths.wide;
  if (found.length * most <= longestWord) return [];
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  let total = 0;
  for (const [character] of found.matchAll(characters)) {
    const own = widthOf(character);
    total += own;
    if (piece !== '' && width + own > pieceWidth) {
      pieces.push(piece);
      piece = '';
      width = 0;
    }
    piece += character;
    width += own;
  }
  return total > longestWord ? [...pieces, piece] : [];
}

function widthOf(character: string): number {
  const base = String.fromCodePoint(character.codePointAt(0) ?? 0);
  if (veryWide.test(base)) return widths.veryWide;
  if (wide.test(base)) return widths.wide;
  return /\p{Lu}/u.test(base) ? widths.capital : widths.other;
}
