/** Values by the name a failure report gives them. */
export type Named<Value> = Readonly<Record<string, Value>>;

const deep = (levels: number): unknown => (levels === 0 ? [] : [deep(levels - 1)]);

/**
 * JSON values of which at least one is wrong wherever it is put: types, bounds, Unicode that PostgreSQL or JSON cannot
 * hold.
 */
export const sharpValues: Named<unknown> = {
  null: null,
  true: true,
  'minus one': -1,
  'beyond the safe integers': 2 ** 53,
  'empty string': '',
  'one letter': 'x',
  'text with NUL': 'a\0b',
  'lone surrogate': 'a\ud800b',
  'four-byte, combining and bidirectional characters': '\u{1F600}e\u0301\u202Etxt',
  '3000 characters': 'x'.repeat(3_000),
  'empty array': [],
  'array of null': [null],
  'empty object': {},
};

/** More JSON values of the same kinds. */
export const otherValues: Named<unknown> = {
  false: false,
  zero: 0,
  'minus zero': -0,
  fraction: 0.1,
  'beyond 32 bits': 2 ** 31,
  'largest number': 1.7e308,
  'smallest number': 5e-324,
  blank: ' \t\n',
  'byte order mark': '\uFEFF',
  'line separators': 'a\u2028b\u2029c\r\nd',
  'half a pair': '\udc00',
  'not a character': '\uFFFF\u{10FFFF}',
  'pattern characters': String.raw`%_\'"$1`,
  'key of a prototype': '__proto__',
  '256 characters': 'x'.repeat(256),
  '256 four-byte characters': '\u{1F600}'.repeat(256),
  '10001 characters': 'x'.repeat(10_001),
  '2 MB': 'x'.repeat(2_000_000),
  'nil UUID': '00000000-0000-0000-0000-000000000000',
  'UUID in braces': '{01900000-0000-7000-8000-000000000001}',
  'unknown UUID': '01900000-0000-7000-8000-000000000001',
  'year 0': '0000-01-01',
  'day that does not exist': '2026-02-30',
  'year 10000': '+010000-01-01T00:00:00.000Z',
  'last moment': '+275760-09-13T00:00:00.000Z',
  'leap second': '2026-06-30T23:59:60Z',
  'long duration': 'P99Y999M999W9999D',
  'number as text': '1e3',
  'array of texts': ['x', 'x'],
  'array of objects': [{}],
  '5001 items': Array.from({ length: 5_001 }, () => 'x'),
  'array 40 deep': deep(40),
  'object with a foreign key': { surprise: 1 },
  'object with a key that is NUL': { '\0': 1 },
  'object with a key of a prototype': JSON.parse('{"__proto__":{"a":1},"constructor":1}'),
};

/** Values of a path or query parameter, percent-encoded as they are sent. */
export const texts: Named<string> = {
  'one letter': 'x',
  'minus one': '-1',
  NUL: 'a%00b',
  'lone surrogate': '%ED%A0%80',
  'four-byte, combining and bidirectional characters': '%F0%9F%98%80e%CC%81%E2%80%AEtxt',
  '600 characters': 'x'.repeat(600),
  zero: '0',
  fraction: '1.5',
  'number beyond all bounds': '9'.repeat(400),
  exponent: '1e3',
  'not UTF-8': '%F0%28%8C%28',
  'half an escape': '%',
  'overlong slash': '%C0%AF',
  'encoded slash': '..%2f..%2fhealth',
  'pattern characters': '%25_%5C%27%22',
  'key of a prototype': '__proto__',
  'nil UUID': '00000000-0000-0000-0000-000000000000',
  'unknown UUID': '01900000-0000-7000-8000-000000000001',
  'year 0': '0000-00-00',
  'last day': '9999-12-31',
  'upper case': 'TRUE',
  JSON: '%5B%7B%7D%5D',
  'cursor of another shape': Buffer.from('[null,{}]').toString('base64url'),
  'cursor with NUL': Buffer.from(JSON.stringify(['a\0', 'b', 1])).toString('base64url'),
  '5000 characters': 'x'.repeat(5_000),
};
