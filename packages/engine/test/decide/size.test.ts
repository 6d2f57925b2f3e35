import { decide, decideAll, type Command } from '@runward/engine';
import test from 'ava';
import { at, environmentAt } from '../support/calendar.ts';
import { field, processOf, task } from '../support/documents.ts';
import { begin, complete, open, submit } from '../support/run.ts';

const document = processOf([
  task('log', { repeatable: true, fields: [field('text', { type: 'LONG_TEXT' })] }),
  task('last'),
]);
const limited = (runBytes: number) => ({ ...environmentAt(at('10:00')), runBytes });

test('a command that makes a run larger than its limit is rejected, and any that makes it no larger is accepted', (t) => {
  const run = begin(document);
  run.does(open('log', 'e1'));
  run.does(submit('e1', { text: 'ä'.repeat(1_000) }));
  const codeOf = (command: Command, runBytes: number) => {
    const { rejection } = decide(run.state, command, limited(runBytes));
    return rejection?.code ?? null;
  };
  // 2,000 bytes of text, 400 for the entry and the value, and less than 1,000 for the rest of their JSON.
  t.is(codeOf(open('log', 'e2'), 3_900), null);
  t.is(codeOf(open('log', 'e2'), 2_400), 'size_exceeded');
  t.is(codeOf(submit('e1', { text: 'ä'.repeat(1_001) }), 2_400), 'size_exceeded');
  for (const command of [
    submit('e1', { text: 'ä'.repeat(999) }),
    submit('e1', { text: 'x'.repeat(2_000) }),
    complete('e1'),
    { type: 'cancel' } as const,
  ]) {
    t.is(codeOf(command, 2_400), null, command.type);
  }
  t.regex(
    decide(run.state, open('log', 'e2'), limited(2_400)).rejection?.message ?? '',
    /^The entries and values of the run, and the tasks that .*, would take \d+ bytes, but they can take at most 2400; shorten /,
  );
});

test('of several commands, each that is within the limit counts for the next', (t) => {
  const { state } = begin(document);
  const commands = ['e1', 'e2', 'e3', 'e4'].map((id) => open('log', id));
  t.is(decideAll(state, commands, limited(2_000)).rejection, null);
  t.is(decideAll(state, commands, limited(1_200)).rejection?.code, 'size_exceeded');
});

test('a migration that leaves too many tasks behind is rejected, and one back is not', (t) => {
  const document = (name: string) =>
    processOf(['a', 'b', 'c'].map((id) => task(`${name}-${id}`, { description: 'x'.repeat(1_000) })));
  const migrateTo = (name: string): Command => ({
    type: 'migrate',
    toVersionId: name,
    document: document(name),
    runTaskIds: ['a', 'b', 'c'].map((id) => `run-${name}-${id}`),
  });
  const run = begin(document('first'));
  run.does(migrateTo('second'));
  const bytesOf = (command: Command) => decide(run.state, command, limited(8_000)).rejection?.code ?? null;
  t.is(bytesOf(migrateTo('third')), 'size_exceeded');
  t.is(bytesOf(migrateTo('first')), null);
});
