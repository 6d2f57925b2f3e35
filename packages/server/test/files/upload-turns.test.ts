import { useApp } from '@runward/testing/app';
import test from 'ava';
import { holdRow } from '../support/database/hold-row.ts';
import { openForm } from '../support/files.ts';

const app = useApp(test);

test('an upload does not wait for the uploads of another organization', async (t) => {
  const [slow, other] = [await openForm(app), await openForm(app)];
  const release = await holdRow(app, 'runs', slow.runId);
  const uploads = Array.from({ length: 4 }, (_, index) => slow.upload('papers', `content ${index}`));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const first = await Promise.race([other.upload('papers', 'content').then(() => 'other'), Promise.race(uploads)]);
  t.is(first, 'other');
  await release();
  t.true((await Promise.all(uploads)).every(({ status }) => status === 201));
});
