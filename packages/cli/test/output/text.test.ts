import type { FieldType, FieldValue } from '@runward/contract';
import { similar } from '@runward/sdk/find';
import { parseValue } from '@runward/sdk/form';
import test from 'ava';
import { readMapping } from '../../src/csv-launch/mapping.ts';
import { formatValue, valueError } from '../../src/form/field-text.ts';
import { pairs } from '../../src/output/pairs.ts';
import { printable, toJson } from '../../src/output/printable.ts';
import { readable } from '../../src/output/readable.ts';
import { table } from '../../src/output/table.ts';

test('a value is formatted as the text that is parsed to it, and checked like the server does', (t) => {
  const field = (type: FieldType) => ({ label: 'Field', type, options: [{ key: 's', label: 'Small' }] });
  for (const [type, value] of [
    ['DROPDOWN', 's'],
    ['NUMBER', 12.5],
    ['CHECKBOX', false],
    ['MULTI_SELECT', ['s', 'm']],
    ['TEXT', null],
  ] as const) {
    t.deepEqual(parseValue(field(type), formatValue(value as FieldValue)), value as FieldValue);
  }
  t.is(valueError(field('NUMBER'), '12,5'), '"Field" must be a number, like 12.5');
  t.is(valueError(field('DROPDOWN'), 's'), null);
});

test('a mapping combines columns, texts with columns in braces, and constants', (t) => {
  const mapping = readMapping(
    [
      ['title', '{{x} {first name} {last}!'],
      ['date', 'start'],
      ['var.note', 'note'],
    ],
    ['first name', 'last', 'start', 'note'],
    { owner: 'a@example.com', variables: { fixed: '1' } },
  );
  t.deepEqual(mapping({ 'first name': 'Ada', last: 'L', start: '', note: 'n' }), {
    texts: { title: '{x} Ada L!', owner: 'a@example.com', variables: { fixed: '1', note: 'n' } },
    emptyColumns: new Map(),
    errors: [],
  });
  t.like(mapping({ 'first name': 'Ada', last: '', start: '2026-03-01', note: '' }), {
    emptyColumns: new Map([['note', 'note']]),
    errors: ['title: the column "last" is empty'],
  });
});

test('similar names are suggested', (t) => {
  t.deepEqual(similar('onbording', ['Onboarding', 'Offboarding', 'Leave']), ['Onboarding']);
  t.deepEqual(similar('board', ['Onboarding', 'Leave']), ['Onboarding']);
  t.deepEqual(similar('xyz', ['Onboarding', 'Leave']), []);
});

test('control characters in user input are not printed', (t) => {
  t.is(printable('a\u001B[2J\u0007\u009B1m\u202Eb\r\nc\td'), 'a·[2J··1m·b c d');
  t.is(toJson({ a: '\u009B1m\u202E\u2028' }), String.raw`{"a":"\u009b1m\u202e\u2028"}`);
  t.deepEqual(JSON.parse(toJson({ a: '\u009B\u202E' })), { a: '\u009B\u202E' });
});

test('a record fits the terminal: long values are wrapped beside their names, or below them, and no word is broken', (t) => {
  const id = '0195f3a0-7cc1-7d5e-8b1c-2f4e6a8c0d13';
  const url = `https://example.com/hooks/${'x'.repeat(30)}`;
  const drawn = (width: number) =>
    pairs(
      [
        ['templateVersionId', id],
        ['title', 'Onboard Ada Lovelace, who joins 研究部 in the month of March'],
        ['url', url],
        ['status', 'RUNNING'],
        ['completedAt', ''],
      ],
      { width, bold: String },
    ).split('\n');
  t.deepEqual(drawn(Infinity), [
    `templateVersionId  ${id}`,
    'title              Onboard Ada Lovelace, who joins 研究部 in the month of March',
    `url                ${url}`,
    'status             RUNNING',
    'completedAt',
  ]);
  t.deepEqual(drawn(60), [
    `templateVersionId  ${id}`,
    'title              Onboard Ada Lovelace, who joins 研究部 in',
    '                   the month of March',
    'url',
    `  ${url}`,
    'status             RUNNING',
    'completedAt',
  ]);
  t.deepEqual(drawn(40), [
    'templateVersionId',
    `  ${id}`,
    'title',
    '  Onboard Ada Lovelace, who joins 研究部',
    '  in the month of March',
    'url',
    `  ${url}`,
    'status             RUNNING',
    'completedAt',
  ]);
});

test('a table wider than the terminal has its widest column cut, but never an ID', (t) => {
  const id = '0195f3a0-5a50-7c1e-9d0f-3f2b8c1d4e5f';
  const drawn = table(['id', 'title'], [[id, 'A title that is much longer than there is room for']], {
    width: 60,
    bold: String,
  });
  const [head = '', row = ''] = drawn.split('\n');
  t.regex(head, /^id +title$/);
  t.regex(row, /^[0-9a-f-]{36} {2}A title that is much …$/);
  t.true(row.length <= 60);
});

test('a table that is too wide cuts all long columns, then leaves out IDs, then others, but never requested columns', (t) => {
  const id = '0195f3a0-7cc1-7d5e-8b1c-2f4e6a8c0d13';
  const head = ['id', 'publicId', 'title', 'runTitle'];
  const row = [id, 'RUN-7K3M9Q', 'Sign the employment contract', 'Onboarding of Ada Lovelace'];
  const drawn = (width: number, complete = false) =>
    table(head, [row], { width, bold: String, complete }).split('\n')[1] ?? '';
  t.is(drawn(200), row.join('  '));
  t.is(drawn(100), `${id}  RUN-7K3M9Q  Sign the employment con…  Onboarding of Ada Lovel…`);
  for (const width of [90, 60, 45]) {
    t.true(drawn(width).length <= width, drawn(width));
    t.regex(drawn(width), /^RUN-7K3M9Q {2}Sign .+Onboarding/);
    t.regex(drawn(width, true), new RegExp(`^${id} {2}RUN-7K3M9Q`));
  }
  t.is(drawn(30), 'RUN-7K3M9Q  Onboarding of Ada…');
  t.is(table(['id'], [[id]], { width: 20, bold: String }), `id\n${id}`);
});

test('a table with priorities leaves out the least important column first, and never cuts the ID of a run', (t) => {
  const rows = [['PENDING_APPROVAL', 'RUN-7K3M9QAB', 'Welcome at the door', 'Onboarding of Ada Lovelace']];
  const head = ['status', 'run', 'title', 'runTitle'];
  const drawn = (width: number) =>
    table(head, rows, { width, bold: String }, { priority: ['run', 'title', 'status', 'runTitle'] }).split('\n')[1];
  t.is(drawn(90), 'PENDING_APPROVAL  RUN-7K3M9QAB  Welcome at the door  Onboarding of Ada Lovelace');
  t.is(drawn(70), 'PENDING_APPROVAL  RUN-7K3M9QAB  Welcome at the door  Onboarding of Ad…');
  t.is(drawn(60), 'PENDING_APPROVAL  RUN-7K3M9QAB  Welcome at the door');
  t.is(drawn(40), 'RUN-7K3M9QAB  Welcome at the door');
  t.is(drawn(30), 'RUN-7K3M9QAB  Welcome at the …');
});

test('columns that must stay whole move below the line of their record, where long texts are wrapped', (t) => {
  const head = ['event', 'status', 'error'];
  const rows = [
    ['run.cancelled', 'PENDING', 'The receiver did not respond within ten seconds.'],
    ['run.completed', 'SUCCEEDED', ''],
  ];
  const drawn = (width: number) =>
    table(head, rows, { width, bold: String }, { priority: ['event', 'status', 'error'], whole: ['event', 'error'] });
  t.is(drawn(80).split('\n').length, 3);
  t.is(
    drawn(40),
    [
      'event          status',
      'run.cancelled  PENDING',
      '  error',
      '    The receiver did not respond within',
      '    ten seconds.',
      'run.completed  SUCCEEDED',
    ].join('\n'),
  );
});

test('columns line up beside characters that take two columns, and a text is cut between characters, never within one', (t) => {
  const family = '👩‍👩‍👧‍👦';
  const rows = ['研究部への入社', `Onboard ${family} 🇩🇪 family`, 'Ada 👍🏽 e\u0301'].map((title) => [title, 'RUNNING']);
  const drawn = (width: number) => table(['title', 'status'], rows, { width, bold: String }).split('\n');
  t.deepEqual(drawn(80), [
    'title                 status',
    '研究部への入社        RUNNING',
    `Onboard ${family} 🇩🇪 family  RUNNING`,
    'Ada 👍🏽 e\u0301              RUNNING',
  ]);
  t.deepEqual(drawn(21), [
    'title         status',
    '研究部への…   RUNNING',
    `Onboard ${family} …  RUNNING`,
    'Ada 👍🏽 e\u0301      RUNNING',
  ]);
});

test('people read times in their own time zone to the minute, and a due date without a time as a date', (t) => {
  const at = new Date(2026, 2, 1, 17, 30, 15);
  const task = { at: at.toISOString(), dueAt: '2026-03-01T12:00:00.000Z', dueAtHasTime: false, title: '2026-03-01T12' };
  t.is(readable(task, 'at'), '2026-03-01 17:30');
  t.is(readable(task, 'dueAt'), '2026-03-01');
  t.is(readable({ ...task, dueAt: task.at, dueAtHasTime: true }, 'dueAt'), '2026-03-01 17:30');
  t.is(readable({ run: task }, 'run.dueAt'), '2026-03-01');
  t.is(readable(task, 'title'), '2026-03-01T12');
  t.is(readable(task, 'missing'), '');
  t.is(
    readable({ filters: { statuses: ['OVERDUE'], search: 'a\n b' } }, 'filters'),
    '{ "statuses": [ "OVERDUE" ], "search": "a\\n b" }',
  );
  t.is(readable({ names: ['[a', 'b]'] }, 'names'), '[a, b]');
});
