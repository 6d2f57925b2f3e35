import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useApp } from '@runward/testing/app';
import { must } from '@runward/testing/process';
import test from 'ava';
import { openForm, picture } from '../support/files.ts';

const app = useApp(test);

test('a thumbnail is made after an outage of the file store, however long it was', async (t) => {
  const form = await openForm(app);
  const { organizationId } = form.org;
  // A file where the store needs a folder: nothing can be stored there.
  const thumbnails = join(app.filesFolder, organizationId, 'thumbnails');
  await must(form.upload('papers', 'text'));
  await writeFile(thumbnails, '');
  const { id } = await must(form.upload('photo', await picture(), 'a.png'));
  const examine = async () => {
    await app.examiner.tick();
    await app.database.em
      .fork()
      .getKysely()
      .updateTable('files')
      .set({ next_attempt_at: new Date(0) })
      .where('id', '=', id)
      .where('next_attempt_at', 'is not', null)
      .execute();
  };
  const status = async () => (await form.api.call('files', 'thumbnail', { params: { id } })).status;
  for (let tries = 1; tries <= 10; tries += 1) await examine();
  t.is(await status(), 404);
  await rm(thumbnails);
  await examine();
  t.is(await status(), 200);
});
