import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { openJournal, readJournal } from '../../src/csv-launch/journal.ts';
import { newFolder } from '../support/command.ts';

test('a journal takes nothing more after a write that failed, and its error names the file', async (t) => {
  const path = join(await newFolder(t), 'rows.jsonl');
  const entry = (row: string, messages: readonly string[]) =>
    ({ type: 'failed', row, template: 'T', messages }) as const;
  {
    await using journal = await openJournal(path, null);
    await journal.record(entry('1', []));
    const unwritable = entry('2', [1n as never]);
    const failing = journal.record(unwritable);
    const next = journal.record(entry('3', []));
    for (const write of [failing, next, journal.record(entry('4', []))]) {
      await t.throwsAsync(write, { message: /rows\.jsonl cannot be written: / });
    }
  }
  // What a full disk leaves of a line is removed when the journal is opened again.
  await appendFile(path, '{"type":"fail');
  const content = await readJournal(path);
  t.deepEqual(
    content?.entries.map(({ row }) => row),
    ['1'],
  );
  await using again = await openJournal(path, content);
  await again.record(entry('5', []));
  t.is((await readJournal(path))?.entries.length, 2);
});
