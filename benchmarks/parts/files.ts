import { contract } from '@runward/contract';
import { compare, type Scenario } from '../harness/compare.ts';
import type { Part } from '../harness/part.ts';
import { sending } from '../harness/profile.ts';
import { startServer } from '../harness/server-process.ts';
import { sendBytes } from '../load/stream-bytes.ts';
import { clientOf, openFileForm, publishFileTemplate, uploadsAtATime } from '../seed/file-target.ts';

const megabytes = 100;
const bytes = megabytes * 1e6;
const contentType = 'application/octet-stream';

/** Compares uploads and downloads with a bare pipe, and reads during uploads with reads alone. */
export const files: Part = {
  name: 'files',
  needs: 'service',
  measure: async (bench) => {
    const { service, seeded, profile, folder, stack } = bench;
    const pipe = stack.use(await startServer('benchmarks/baseline/pipe.ts', { cwd: folder }, '/ready'));
    const api = clientOf(service.url, seeded.apiKey);
    const template = await publishFileTemplate(api);
    const announce = async () =>
      api.files.uploadUrl({ ...(await openFileForm(api, template)), fileName: 'large.bin', contentType, size: bytes });

    const upload = await announce();
    const { fileId, uploadUrl: url, method, headers } = await announce();
    await sendBytes({ url, method, headers }, bytes);
    await api.files.confirm({ fileId });
    await sendBytes({ url: pipe.url, method }, bytes);
    const download = await api.files.downloadUrl(fileId);

    const transfer = (name: string, serviceUrl: string, method: 'GET' | 'PUT'): Scenario => ({
      name: `${name} of ${megabytes} MB`,
      unit: 'MB/s',
      perItem: megabytes,
      aim: 0.5,
      job: (pipeUrl, phase, _round, side) => ({
        kind: 'transfers',
        url: side === 'service' ? serviceUrl : pipeUrl,
        method,
        headers: method === 'PUT' ? headers : {},
        bytes,
        count: phase === 'warm-up' ? 1 : Math.max(1, Math.round(profile.seconds / 2)),
      }),
    });
    const piped = { service, baseline: pipe };

    const { path, method: get } = contract.runs.get;
    const read = sending(
      bench,
      seeded.runIds.map((id) => ({ method: get, path: path.replace(':id', id) })),
    );
    const beside: Scenario = {
      name: `GET /runs/:id beside ${uploadsAtATime} uploads of 10 kB at a time, and alone`,
      unit: 'req/s',
      aim: 0.5,
      job: (url, phase, _, side) => {
        const uploads = { ...template, url, apiKey: seeded.apiKey, concurrency: uploadsAtATime, bytes: 10_000 };
        return { ...read(url, phase), ...(side === 'service' && { uploads }) };
      },
    };
    return {
      comparisons: [
        await compare(bench, piped, transfer('upload', upload.uploadUrl, 'PUT')),
        await compare(bench, piped, transfer('download', download.url, 'GET')),
        await compare(bench, { service, baseline: service }, beside),
      ],
    };
  },
};
