import { Agent } from 'node:http';
import type { Measured } from '../harness/measured.ts';
import { clientOf, filesPerForm, openFileForm, type FileForm, type FileTemplate } from '../seed/file-target.ts';
import { receiveBytes, sendBytes } from './stream-bytes.ts';

/** A file to upload or download, several times, one after the other. */
export interface TransferJob {
  readonly kind: 'transfers';
  readonly url: string;
  readonly method: 'GET' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  readonly count: number;
}

/** Continuous uploads of small files while something else is measured. */
export interface Uploads extends FileTemplate {
  readonly url: string;
  readonly apiKey: string;
  /** How many are uploaded at a time. */
  readonly concurrency: number;
  readonly bytes: number;
}

/** Transfers the file. Throws on an error response or a different size. */
export async function transfer({ url, method, headers, bytes, count }: TransferJob): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const milliseconds: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const start = performance.now();
    if (method === 'PUT') await sendBytes({ agent, url, method, headers }, bytes);
    else if ((await receiveBytes({ agent, url, headers })) !== bytes) throw new Error(`${url} has another size.`);
    milliseconds.push(performance.now() - start);
  }
  agent.destroy();
  return { seconds: milliseconds.reduce((sum, each) => sum + each, 0) / 1_000, milliseconds };
}

/**
 * Starts uploads, in which each worker has an open form. Returns a function that stops them and resolves with their
 * number, or rejects if one failed.
 */
export async function startUploads(uploads: Uploads): Promise<() => Promise<number>> {
  const { url, apiKey, concurrency, bytes, ...template } = uploads;
  const api = clientOf(url, apiKey);
  const file = new File([new Uint8Array(bytes)], 'small.bin');
  const ending = new AbortController();
  let uploaded = 0;
  const work = async (opened: FileForm) => {
    for (let form = opened; !ending.signal.aborted; form = await openFileForm(api, template)) {
      for (let count = 0; count < filesPerForm && !ending.signal.aborted; count += 1) {
        await api.files.directUpload({ ...form, file });
        uploaded += 1;
      }
    }
  };
  const forms = await Promise.all(Array.from({ length: concurrency }, async () => openFileForm(api, template)));
  const all = Promise.all(forms.map(work));
  // A failure is reported by the returned function.
  all.catch(() => {});
  return async () => {
    ending.abort();
    await all;
    return uploaded;
  };
}
