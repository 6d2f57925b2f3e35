import test from 'ava';
import { outline } from '../src/outline.ts';
import { toWireError, toWireResult } from '../src/wire.ts';

test('data is formatted as lines, without empty values', (t) => {
  const data = {
    title: 'Ada',
    none: null,
    empty: [],
    tags: ['a', 'b'],
    owner: { name: 'Bob; role: OWNER', address: { city: null } },
    times: { median: null },
    tasks: [
      { title: 'One', fields: [{ key: 'x', options: ['p', 'q'] }] },
      { title: 'Two\n- title: Three', done: false },
    ],
  };
  t.is(
    outline(data),
    [
      'title: Ada',
      'tags: a, b',
      'owner:',
      '  name: "Bob; role: OWNER"',
      'tasks:',
      '- title: One',
      '  fields:',
      '  - key: x; options: p, q',
      '- title: "Two\\n- title: Three"; done: false',
    ].join('\n'),
  );
});

test('a long result is cut and says how to ask for less', (t) => {
  const { content, structuredContent } = toWireResult({ summary: 'Long.', data: { text: 'x'.repeat(30_000) } });
  const [part] = content;
  t.is(structuredContent, undefined);
  t.regex(
    part?.type === 'text' ? part.text : '',
    /^Long\.\n\ntext: x{20000,}\n… cut after 24000 of 30013 characters\. Ask for less/,
  );
  t.deepEqual(toWireResult({ summary: 'Done.' }), {
    content: [{ type: 'text', text: 'Done.' }],
    structuredContent: {},
  });
});

test('a long error is cut too, and no character is cut in two', (t) => {
  const { content, isError } = toWireError(`${'x'.repeat(23_999)}😀${'y'.repeat(100)}`);
  const [part] = content;
  const text = part?.type === 'text' ? part.text : '';
  t.true(isError);
  t.regex(text, /x\uFFFD\n… cut after 24000 of 24101 characters\. Begin with these\.$/);
  t.true(text.isWellFormed());
});
