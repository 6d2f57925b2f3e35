/**
 * Measures the memory of the service while it moves files: `node --conditions=@runward/source benchmarks/file-memory.ts [GIGABYTES]`. It
 * uploads, confirms and downloads one file of 2 GB, 1,000 small ones, and two ZIPs of 500 at the same time, and prints the peak of each step.
 * Linux only: other systems do not reset the peak.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contract } from '@runward/contract';
import { ensureDatabase, startEmbeddedPostgres } from '@runward/server/internal/database/embedded/postgres';
import { newDataFolder } from '@runward/testing/data-folder';
import { clientOf, filesPerForm, openFileForm, publishFileTemplate } from './file-target.ts';
import { startRunward } from './service.ts';
import { receiveBytes, sendBytes } from './stream-bytes.ts';
import { watchMemory } from './usage.ts';

const size = Number(process.argv[2] ?? 2) * 1e9;
const small = 1_000;
const smallBytes = 100_000;
const log = (line: string) => void process.stdout.write(`${line}\n`);

await using stack = new AsyncDisposableStack();
const { path: folder } = stack.use(await newDataFolder());
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
stack.defer(() => postgres.stop());
const databaseUrl = postgres.url('service');
await ensureDatabase(databaseUrl);
const service = stack.use(await startRunward({ databaseUrl, folder, mode: 'production' }));
const { apiKey } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as { apiKey: string };
const api = clientOf(service.baseUrl, apiKey);
const template = await publishFileTemplate(api);

async function measure(name: string, work: () => Promise<void>): Promise<void> {
  // Resets the peak.
  await writeFile(`/proc/${service.pid}/clear_refs`, '5');
  const memory = watchMemory(service.pid);
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1_000;
  log(`${name.padEnd(36)}${(await memory.stop()).toFixed(0).padStart(6)} MB${seconds.toFixed(1).padStart(8)} s`);
}

await measure('idle', async () => {});
const contentType = 'application/octet-stream';
const announced = await api.files.uploadUrl({
  ...(await openFileForm(api, template)),
  fileName: 'large.bin',
  contentType,
  size,
});
const { fileId, uploadUrl: url, method, headers } = announced;
await measure(`upload of ${size / 1e9} GB`, () => sendBytes({ url, method, headers }, size));
await measure('its confirmation', async () => void (await api.files.confirm({ fileId })));
const large = await api.files.downloadUrl(fileId);
await measure('its download', async () => void (await receiveBytes({ url: large.url })));

const fileIds: string[] = [];
const content = new Uint8Array(smallBytes);
await measure(`upload of ${small} files of ${smallBytes / 1e3} kB`, async () => {
  const waiting = Array.from({ length: small / filesPerForm }).values();
  const fillForms = async () => {
    for (const _ of waiting) {
      const form = await openFileForm(api, template);
      for (let count = 0; count < filesPerForm; count += 1) {
        fileIds.push((await api.files.directUpload({ ...form, file: new File([content], 'a.bin') })).id);
      }
    }
  };
  await Promise.all(Array.from({ length: 10 }, fillForms));
});
await measure('two ZIPs of 500 files', async () => {
  const zip = contract.files.bulkDownloadZip;
  const target = { url: service.baseUrl + zip.path, method: zip.method };
  const sent = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const halves = [fileIds.slice(0, 500), fileIds.slice(500)];
  await Promise.all(halves.map((ids) => receiveBytes({ ...target, headers: sent }, JSON.stringify({ fileIds: ids }))));
});
