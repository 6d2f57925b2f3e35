import { writeFile } from 'node:fs/promises';
import { contract } from '@runward/contract';
import type { Figure, Part } from '../harness/part.ts';
import { headersOf } from '../harness/profile.ts';
import { timed } from '../harness/times.ts';
import { watchMemory } from '../harness/usage.ts';
import { receiveBytes, sendBytes } from '../load/stream-bytes.ts';
import { clientOf, filesPerForm, openFileForm, publishFileTemplate, uploadsAtATime } from '../seed/file-target.ts';
import { startOn } from '../seed/many-runs.ts';

const contentType = 'application/octet-stream';
const small = 1_000;
const smallBytes = 100_000;

/**
 * The memory of the service while it moves a large file, many small files, and two ZIPs at a time. Linux only, because
 * other systems do not record a peak.
 */
export const memory: Part = {
  name: 'memory',
  needs: 'nothing',
  measure: async (bench) => {
    const { service, apiKey } = await startOn(bench, 'memory');
    const api = clientOf(service.url, apiKey);
    const template = await publishFileTemplate(api);
    const figures: Figure[] = [];
    const measure = async (name: string, work: () => Promise<unknown>) => {
      // Resets the peak.
      await writeFile(`/proc/${service.pid}/clear_refs`, '5');
      const watched = watchMemory(service.pid);
      const { ms } = await timed(work);
      figures.push({ name: `${name} in ${(ms / 1_000).toFixed(1)} s, MB`, max: await watched.stop(), aim: '< 250' });
    };

    const size = bench.profile.isQuick ? 2e8 : 2e9;
    const form = await openFileForm(api, template);
    const announced = await api.files.uploadUrl({ ...form, fileName: 'large.bin', contentType, size });
    const { fileId, uploadUrl: url, method, headers } = announced;
    await measure(`upload of ${size / 1e9} GB`, () => sendBytes({ url, method, headers }, size));
    await measure('its confirmation', () => api.files.confirm({ fileId }));
    const large = await api.files.downloadUrl(fileId);
    await measure('its download', () => receiveBytes({ url: large.url }));

    const fileIds: string[] = [];
    const content = new Uint8Array(smallBytes);
    await measure(`upload of ${small} files of ${smallBytes / 1e3} kB`, () => {
      const waiting = Array.from({ length: small / filesPerForm }).values();
      const fillForms = async () => {
        for (const _ of waiting) {
          const opened = await openFileForm(api, template);
          for (let count = 0; count < filesPerForm; count += 1) {
            fileIds.push((await api.files.directUpload({ ...opened, file: new File([content], 'a.bin') })).id);
          }
        }
      };
      return Promise.all(Array.from({ length: uploadsAtATime }, fillForms));
    });
    const zip = contract.files.bulkDownloadZip;
    const target = { url: service.url + zip.path, method: zip.method, headers: headersOf({ apiKey }) };
    const halves = [fileIds.slice(0, small / 2), fileIds.slice(small / 2)];
    await measure('two ZIPs of 500 files', () =>
      Promise.all(halves.map((ids) => receiveBytes(target, JSON.stringify({ fileIds: ids })))),
    );
    return { figures };
  },
};
