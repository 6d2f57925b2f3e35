import test from 'ava';
import { array, assert, constantFrom, property } from 'fast-check';
import { oneLine, printed } from '../../src/exports/printed.ts';

/** Letters, marks of three scripts, a variation selector, joiners, bidirectional controls and whitespace. */
const characters = [
  'a',
  'م',
  'क',
  '\u0301',
  '\u064b',
  '\u05b0',
  '\ufe0f',
  '\u200b',
  '\u200d',
  '\u2060',
  '\u2067',
  ' ',
  '\n',
];
const text = array(array(constantFrom(...characters), { minLength: 1, maxLength: 3 }), { maxLength: 30 }).map((units) =>
  units.flatMap((unit) => Array.from({ length: 20 }, () => unit.join(''))).join(''),
);

test('no line of a printed text can break before a mark, and no character has more than 8', (t) =>
  t.notThrows(() =>
    assert(
      property(text, (value) => {
        const { lines } = printed(value);
        for (const pieces of lines) {
          for (const piece of pieces) t.notRegex(piece, /(?:^|[ \u200b])\p{M}/u);
          t.notRegex(pieces.join(''), /\p{M}{9}/u);
        }
      }),
      { numRuns: 50 },
    ),
  ));

test('a printed text keeps marks on their characters, also in a word that is broken', (t) => {
  const word = 'e\u0301'.repeat(40);
  const { lines } = printed(word, 'cell');
  t.is(lines.flat().join(''), word);
  t.deepEqual(lines[0]?.slice(0, 2), ['e\u0301'.repeat(7), 'e\u0301'.repeat(7)]);
  t.deepEqual(printed('\u0301b \u0301').lines, [['\u00a0\u0301b \u00a0\u0301']]);
});

test('words of the other direction are isolated, so that numbers and punctuation beside them keep their places', (t) => {
  const lineOf = (text: string) => printed(text).lines.flat().join('');
  t.is(lineOf('صورة 1.png'), 'صورة \u20661.png\u2069');
  t.is(lineOf('اتصل +49 30 12 غدا'), 'اتصل \u2066+49 30 12\u2069 غدا');
  t.is(lineOf('By محمد العقد, 2 May'), 'By \u2067محمد العقد\u2069, 2 May');
  t.is(lineOf('plain 1.png'), 'plain 1.png');
  t.is(lineOf('العقد'), 'العقد');
});

test('characters that embed or override a direction are left out, so that they reverse no words of the service', (t) => {
  const nested = '\u202a\u202b\u2066\u2067'.repeat(40);
  t.deepEqual(printed(`Task “a\u202e” opened. ${nested}1`).lines, [['Task “a” opened. 1']]);
  t.is(oneLine(`a\u202e${nested}b`), 'ab');
});

test('a word of wide letters is broken when fewer of them fit into a line', (t) => {
  const piecesOf = (text: string) => printed(text, 'label').lines[0]?.map(({ length }) => length);
  t.deepEqual(piecesOf('i'.repeat(22)), [22]);
  t.deepEqual(piecesOf('Wohnungseigentümerinnen'.slice(0, 20)), [20]);
  t.deepEqual(piecesOf('W'.repeat(12)), [12]);
  t.deepEqual(piecesOf('W'.repeat(13)), [4, 4, 4, 1]);
  t.deepEqual(piecesOf('a⸻⸻⸻⸻⸻'), [2, 1, 1, 1, 1]);
});
