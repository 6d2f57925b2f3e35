import { text } from 'node:stream/consumers';
import { useApp } from '@runward/testing/app';
import { must } from '@runward/testing/process';
import test from 'ava';
import { openForm } from '../support/files.ts';

const scanned: string[] = [];
let isReachable = false;

const app = useApp(test, {
  scanner: {
    scan: async (content) => {
      const file = await text(content);
      if (!isReachable) throw new Error('The scanner is not reachable.');
      scanned.push(file);
      return { status: 'CLEAN' };
    },
  },
});

test('the file of an organization does not wait for all earlier files of another one', async (t) => {
  const [many, one] = [await openForm(app), await openForm(app)];
  for (let index = 0; index < 6; index += 1) await must(many.upload('papers', `many ${index}`));
  await must(one.upload('papers', 'one'));
  await app.examiner.tick();
  isReachable = true;
  await app.provision.query('update files set next_attempt_at = created_at', []);
  await app.examiner.tick();
  t.is(scanned.length, 7);
  t.true(scanned.indexOf('one') < 4, scanned.join());
});
