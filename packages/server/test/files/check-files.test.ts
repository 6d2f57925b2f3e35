import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { useApp } from '@runward/testing/app';
import { must } from '@runward/testing/process';
import test from 'ava';
import { bytesWithoutRows, removeOrphans, rowsWithoutBytes } from '../../src/files/check-files.ts';
import { RunFile } from '../../src/files/entities/run-file.ts';
import { purgeUploads } from '../../src/files/purge-uploads.ts';
import { newId } from '../../src/ids.ts';
import { announce, download, openForm, picture } from '../support/files.ts';

const app = useApp(test);

const inAMinute = () => new Date(Date.now() + 60_000);
const orphans = async () => Array.fromAsync(bytesWithoutRows(app.database.em.fork(), app.files, inAMinute()));
const missing = async () => Array.fromAsync(rowsWithoutBytes(app.database.em.fork(), app.files));

test.serial('the check finds bytes without rows, and only those, and the sweep removes them', async (t) => {
  const form = await openForm(app);
  const file = await must(form.upload('photo', await picture(), 'a.png'));
  await app.examiner.tick();
  const upload = await announce(app, form, 'papers', { size: 1 });
  await upload.send('x');
  const asset = { templateId: form.templateId, file: new File([new Uint8Array(await picture())], 'a.png') };
  await must(form.api.call('files', 'uploadTemplateAsset', { body: asset }));
  t.deepEqual([await orphans(), await missing()], [[], []]);

  const { organizationId } = form.org;
  const lost = ['files', 'thumbnails', 'uploads', 'assets'].map((kind) => `${organizationId}/${kind}/${newId()}`);
  for (const key of lost) {
    await mkdir(dirname(join(app.filesFolder, key)), { recursive: true });
    await writeFile(join(app.filesFolder, key), 'x');
  }
  t.deepEqual((await orphans()).sort(), lost.toSorted());
  const em = app.database.em.fork();
  t.is(await removeOrphans(em, app.files, new Date(Date.now() - 60_000)), 0);
  t.is(await removeOrphans(em, app.files, inAMinute()), 4);
  t.deepEqual(await orphans(), []);
  t.is((await download(app, form.api, file.id)).status, 200);
});

test.serial('the check finds rows without bytes', async (t) => {
  const form = await openForm(app);
  const { id } = await must(form.upload('papers', 'x'));
  const { storageKey } = await app.database.em
    .fork()
    .findOneOrFail(RunFile, { organizationId: form.org.organizationId, id });
  await app.files.remove(storageKey);
  t.deepEqual(await missing(), [storageKey]);
  t.is((await form.api.call('files', 'delete', { params: { id } })).status, 204);
  t.deepEqual(await missing(), []);
});

test.serial('uploads that nobody confirms are deleted with their bytes', async (t) => {
  const form = await openForm(app);
  const [expired, recent] = [
    await announce(app, form, 'papers', { size: 1 }),
    await announce(app, form, 'papers', { size: 1 }),
  ];
  for (const upload of [expired, recent]) await upload.send('x');
  const { organizationId } = form.org;
  const em = app.database.em.fork();
  await em.nativeUpdate(RunFile, { organizationId, id: expired.fileId }, { expiresAt: new Date(0) });
  await purgeUploads(em, app.files, new AbortController().signal);
  t.is((await expired.confirm()).status, 404);
  t.is(await app.files.find(`${organizationId}/uploads/${expired.fileId}`), null);
  t.is((await recent.confirm()).status, 200);
});
