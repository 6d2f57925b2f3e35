import { canonicalJson } from '@runward/engine';
import test from 'ava';
import canonicalize from 'canonicalize';
import * as fc from 'fast-check';

test('the example of RFC 8785, section 3.2.2, has the text of section 3.2.3', (t) => {
  const value = {
    numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  };
  t.is(
    canonicalJson(value),
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test('members are ordered by the UTF-16 code units of their names, as in RFC 8785, section 3.2.3', (t) => {
  const value = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  t.deepEqual(
    [...canonicalJson(value).matchAll(/:"([^"]*)"/g)].map(([, text]) => text),
    [
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ],
  );
});

/** Samples of RFC 8785, appendix B: the bits of a number, and its text. */
const numbers = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
] as const;

test('numbers have the texts of RFC 8785, appendix B', (t) => {
  for (const [bits, text] of numbers) t.is(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE()), text);
});

test('values that are equal as JSON have the same text, and the text is their value', (t) => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [name, shuffled(member)]),
    );
  };
  // No backslash: after the member "\\", V8 can read the member "\"" of the next object as "\\" (nodejs/node#63785).
  const stringUnit = fc.string({ minLength: 1, maxLength: 1 }).filter((unit) => unit !== '\\');
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4, stringUnit }), (value) => {
      const text = canonicalJson(value);
      t.is(canonicalJson(shuffled(value)), text);
      t.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 200 },
  );
  t.is(canonicalJson({ b: undefined, a: 1 }), '{"a":1}');
});

test('any JSON has the text that the package canonicalize gives it', (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), (value) => {
      t.is(canonicalize(value), canonicalJson(value));
    }),
    { numRuns: 1_000 },
  );
});

test('a lone surrogate, which RFC 8785 rejects, is escaped, so that its text differs from all others', (t) => {
  t.throws(() => canonicalize({ a: '\ud800' }));
  t.is(
    canonicalJson({ '\udfff': ['\ud800', String.raw`\ud800`, '\ufffd'] }),
    String.raw`{"\udfff":["\ud800","\\ud800","�"]}`,
  );
});
