import { contract } from '@runward/contract';
import { compare, type Bench, type Comparison, type Scenario } from './compare.ts';
import { clientOf, openFileForm, publishFileTemplate } from './file-target.ts';
import type { Job } from './load.ts';
import { headersOf, type Profile } from './scenarios.ts';
import type { Seed } from './seed.ts';
import { startServer } from './server-process.ts';
import { sendBytes } from './stream-bytes.ts';

const megabytes = 100;
const bytes = megabytes * 1e6;
const contentType = 'application/octet-stream';

/** Compares uploads and downloads with a bare pipe, and reads beside uploads with reads alone. The stack stops what it starts. */
export async function compareFiles(
  bench: Omit<Bench, 'baseline'>,
  { seeded, profile, folder }: { seeded: Seed; profile: Profile; folder: string },
  stack: AsyncDisposableStack,
): Promise<Comparison[]> {
  const pipe = stack.use(await startServer('benchmarks/pipe.ts', { cwd: folder }, '/ready'));
  const api = clientOf(bench.service.url, seeded.apiKey);
  const template = await publishFileTemplate(api);
  const announce = async () =>
    api.files.uploadUrl({ ...(await openFileForm(api, template)), fileName: 'large.bin', contentType, size: bytes });

  const upload = await announce();
  const { fileId, uploadUrl: url, method, headers } = await announce();
  await sendBytes({ url, method, headers }, bytes);
  await api.files.confirm({ fileId });
  await sendBytes({ url: pipe.baseUrl, method }, bytes);
  const download = await api.files.downloadUrl(fileId);

  const transfers = (serviceUrl: string, method: 'GET' | 'PUT'): Scenario['job'] => {
    const count = Math.max(1, Math.round(profile.seconds / 2));
    return (pipeUrl, phase, _round, side): Job => ({
      kind: 'transfers',
      url: side === 'service' ? serviceUrl : pipeUrl,
      method,
      headers: method === 'PUT' ? headers : {},
      bytes,
      count: phase === 'warm-up' ? 1 : count,
    });
  };
  const piped = { ...bench, baseline: { url: pipe.baseUrl, pid: pipe.pid } };
  const rate = { unit: 'MB/s', perItem: megabytes, aim: 0.5 } as const;
  const up = { ...rate, name: `upload of ${megabytes} MB`, job: transfers(upload.uploadUrl, 'PUT') };
  const down = { ...rate, name: `download of ${megabytes} MB`, job: transfers(download.url, 'GET') };

  const { path, method: get } = contract.runs.get;
  const requests = seeded.runIds.map((id) => ({ method: get, path: path.replace(':id', id) }));
  const beside: Scenario = {
    name: 'GET /runs/:id beside 50 uploads of 10 kB at a time, and alone',
    unit: 'req/s',
    aim: 0.5,
    job: (url, phase, _round, side) => {
      const seconds = phase === 'warm-up' ? profile.warmUpSeconds : profile.seconds;
      const uploads = { ...template, url, apiKey: seeded.apiKey, concurrency: 50, bytes: 10_000 };
      const read = { kind: 'requests', url, headers: headersOf(seeded), requests, seconds } as const;
      return side === 'service' ? { ...read, uploads } : read;
    },
  };
  return [
    await compare(piped, up),
    await compare(piped, down),
    await compare({ ...bench, baseline: bench.service }, beside),
  ];
}
