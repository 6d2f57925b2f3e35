import test from 'ava';
import { runTitle } from '../src/run-title.ts';

test('the title of a run has one line, also if a variable has several', (t) => {
  const template = { name: 'Review', runTitlePattern: '{{variables.customer}} on {{date}}' };
  t.is(runTitle(template, '2026-03-01', { customer: 'Ada\r\n\u001bLovelace\u2028' }), 'Ada Lovelace  on 2026-03-01');
  t.is(
    runTitle({ ...template, runTitlePattern: '{{variables.customer}}' }, '2026-03-01', { customer: '\n' }),
    'Review',
  );
});
