import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { useApp } from '@runward/testing/app';
import { must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import { createClamd } from '../../src/adapters/clamd.ts';
import type { VirusScanner } from '../../src/adapters/virus-scanner.ts';
import { eicar, hasClamd, prepareClamd, type TestClamd } from '../support/clamd.ts';
import { openForm, type FileForm } from '../support/files.ts';
import { picture } from '../support/files.ts';

/** Set before the first file is uploaded. */
let clamd: TestClamd | undefined;
const scanner: VirusScanner = { scan: (content, signal) => createClamd(clamd?.url ?? '').scan(content, signal) };
const app = useApp(test, { scanner });
const withClamd = hasClamd ? test.serial : test.serial.skip;
if (!hasClamd) console.log('clamd is not installed: its tests are skipped.');

test.before(async () => {
  clamd = await prepareClamd();
});
test.after.always(() => clamd?.[Symbol.asyncDispose]());

const statusOf = async ({ api }: FileForm, id: string) => must(api.call('files', 'scanStatus', { params: { id } }));
const downloadStatus = async ({ api }: FileForm, id: string) =>
  (await api.call('files', 'downloadUrl', { params: { id } })).status;

withClamd('a file is served only after the scanner has found it to be clean', async (t) => {
  await clamd?.kill();
  const form = await openForm(app);
  const file = await must(form.upload('photo', await picture(), 'a.png'));
  t.is(file.scanStatus, 'PENDING');
  await app.examiner.tick();
  t.deepEqual(await statusOf(form, file.id), { status: 'PENDING' });
  t.is(await downloadStatus(form, file.id), 400);
  t.is((await form.api.call('files', 'thumbnail', { params: { id: file.id } })).status, 404);
  t.is((await form.api.call('files', 'bulkDownloadZip', { body: { fileIds: [file.id] } })).status, 400);

  await clamd?.start();
  await makeDue();
  await app.examiner.tick();
  t.like(await statusOf(form, file.id), { status: 'CLEAN' });
  t.is(await downloadStatus(form, file.id), 200);
  t.is((await form.api.call('files', 'thumbnail', { params: { id: file.id } })).status, 200);
});

withClamd('an infected file leaves its value by a fact of the service, and its bytes are removed', async (t) => {
  await clamd?.start();
  const form = await openForm(app, { required: true });
  const clean = await must(form.upload('papers', 'clean'));
  const infected = await must(form.upload('papers', eicar));
  const key = app.files.downloadUrl(`${form.org.organizationId}/files/${infected.id}`, {
    fileName: 'a',
    contentType: 'text/plain',
    expiresAt: new Date(Date.now() + 60_000),
  });
  t.truthy(await key);
  await app.examiner.tick();
  const { status, signature, scannedAt } = await statusOf(form, infected.id);
  t.deepEqual([status, signature], ['INFECTED', 'Eicar-Test-Signature.UNOFFICIAL']);
  t.truthy(scannedAt);
  t.deepEqual(await form.value('papers'), [clean.id]);
  t.is(await downloadStatus(form, infected.id), 400);
  t.is((await readdir(join(app.filesFolder, form.org.organizationId, 'files'))).length, 1);
  const { data } = await must(form.api.call('files', 'list', { query: { runId: form.runId } }));
  t.deepEqual(
    data.map(({ id }) => id),
    [clean.id],
  );
  const activity = await must(form.api.call('runs', 'activity', { params: { id: form.runId } }));
  const removal = activity.data.find(({ type }) => type === 'file.removed');
  t.like(removal, { actor: { type: 'SYSTEM', userId: null, apiKeyId: null } });
  t.is((await form.api.call('files', 'delete', { params: { id: infected.id } })).status, 204);
});

withClamd('a file that the scanner cannot examine is not served', async (t) => {
  await clamd?.start();
  const form = await openForm(app);
  const file = await must(form.upload('papers', Buffer.alloc(3_000_000, 'a')));
  // clamd closes the connection at its limit; if its response is lost with it, the scan is repeated.
  await until(async () => {
    await makeDue();
    await app.examiner.tick();
    return (await statusOf(form, file.id)).status !== 'PENDING';
  }, 'the end of the scan');
  t.like(await statusOf(form, file.id), { status: 'FAILED' });
  t.is(await downloadStatus(form, file.id), 400);
  t.deepEqual(await form.value('papers'), [file.id]);
});

withClamd('an infected file of a completed run is removed as well', async (t) => {
  await clamd?.start();
  const form = await openForm(app);
  const infected = await must(form.upload('papers', eicar));
  await must(form.api.call('runs', 'cancel', { params: { id: form.runId } }));
  await app.examiner.tick();
  t.is(await form.value('papers'), null);
  t.is((await must(form.api.call('runs', 'get', { params: { id: form.runId } }))).status, 'CANCELLED');
  t.like(await statusOf(form, infected.id), { status: 'INFECTED' });
});

/** Files whose scan failed are due at once. */
async function makeDue(): Promise<void> {
  const files = app.database.em.fork();
  await files
    .getKysely()
    .updateTable('files')
    .set({ next_attempt_at: new Date(0) })
    .where('next_attempt_at', 'is not', null)
    .execute();
}
