import { createHash, randomBytes } from 'node:crypto';
import { newDataFolder } from '@runward/testing/data-folder';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startServiceFor } from '@runward/testing/service';
import test from 'ava';
import { connectToNew } from '../support/database/connect.ts';

const part = randomBytes(1_000_000);
const parts = 300;

test('a large upload is stored as it was sent, and its memory is freed without collecting the whole heap', async (t) => {
  const { url } = await connectToNew(t);
  await using folder = await newDataFolder();
  const service = await startServiceFor(t, folder.path, { DATABASE_URL: url });
  const api = service.api();
  const field = { key: 'film', label: 'Film', type: 'FILE_UPLOAD' as const };
  const { templateId, fields } = await publishProcess(api, [{ title: 'Upload', fields: [field] }]);
  const { runTaskId } = (await launchRun(api, templateId)).byTitle('Upload');
  const { id: executionEntryId } = await must(api.call('execution', 'open', { body: { runTaskId } }));
  const announcement = {
    executionEntryId,
    runTaskFieldId: fields['film']?.id ?? '',
    fileName: 'film.bin',
    contentType: 'application/octet-stream',
    size: parts * part.length,
  };
  const { fileId, uploadUrl, method, headers } = await must(api.call('files', 'uploadUrl', { body: announcement }));

  const collections = async (kind: 'major' | 'minor') => {
    const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
    return Number(
      new RegExp(`^nodejs_gc_duration_seconds_count\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0,
    );
  };
  const before = await collections('major');
  const hash = createHash('sha256');
  let sent = 0;
  const body = new ReadableStream({
    pull: (controller) => {
      if (sent === parts) return controller.close();
      sent += 1;
      hash.update(part);
      controller.enqueue(part);
    },
  });
  t.is((await fetch(uploadUrl, { method, headers, body, duplex: 'half' })).status, 204);
  t.true((await collections('minor')) > 0, 'collections are counted');
  const during = (await collections('major')) - before;
  t.log(`${during} major collections`);
  // If V8 has to find out that the parts are garbage, there are six or more.
  t.true(during <= 3, `${during} major collections`);

  const stored = await must(api.call('files', 'confirm', { body: { fileId } }));
  t.is(stored.sha256, hash.digest('hex'));
});
