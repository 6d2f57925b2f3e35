import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useApp } from '@runward/testing/app';
import { must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import { atPort, openForm, picture } from '../support/files.ts';

const app = useApp(test);

const makeDue = (id: string) =>
  app.provision.query('update files set next_attempt_at = created_at where id = $1 and next_attempt_at is not null', [
    id,
  ]);

test.serial('a thumbnail is made after an outage of the file store, however long it was', async (t) => {
  const form = await openForm(app);
  // A file where the store needs a folder: nothing can be stored there.
  const thumbnails = join(app.filesFolder, form.org.organizationId, 'thumbnails');
  await must(form.upload('papers', 'text'));
  await writeFile(thumbnails, '');
  const { id } = await must(form.upload('photo', await picture(), 'a.png'));
  const examine = async () => {
    await app.examiner.tick();
    await makeDue(id);
  };
  const status = async () => (await form.api.call('files', 'thumbnail', { params: { id } })).status;
  for (let tries = 1; tries <= 10; tries += 1) await examine();
  t.is(await status(), 404);
  await rm(thumbnails);
  await examine();
  t.is(await status(), 200);
});

test.serial('a worker that has lost its lease does not remove the thumbnail of the one that took over', async (t) => {
  const form = await openForm(app);
  const { put } = app.files;
  const [late, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let thumbnails = 0;
  app.files.put = async (key, path) => {
    await put(key, path);
    thumbnails += key.includes('/thumbnails/') ? 1 : 0;
    if (thumbnails !== 1) return;
    late.resolve();
    await released.promise;
  };
  t.teardown(() => Object.assign(app.files, { put }));
  const { id } = await must(form.upload('photo', await picture(), 'a.png'));
  const first = app.examiner.tick();
  await late.promise;
  await makeDue(id);
  app.examiner.notify();
  const thumbnail = () => form.api.call('files', 'thumbnail', { params: { id } });
  await until(async () => (await thumbnail()).status === 200, 'the thumbnail of the other worker');
  released.resolve();
  await first;
  const { url } = await must(thumbnail());
  t.is((await fetch(atPort(app, url))).status, 200);
});
