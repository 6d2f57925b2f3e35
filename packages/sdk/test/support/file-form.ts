import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import type { SharedApp } from '@runward/testing/use-shared-app';
import type { ExecutionContext } from 'ava';
import { createClient, type ClientOptions } from '../../src/index.ts';

/** A PNG of one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Content that is too large for one request, in bytes. */
export const large = randomBytes(8 * 1024 * 1024 + 1000);

/** An open entry with file fields, and a client that records its requests as `METHOD /path/*`. */
export async function openForm(app: SharedApp, options: ClientOptions = {}) {
  const { api, apiKey } = await newOrganization(app);
  const fields = [
    { key: 'papers', label: 'Papers', type: 'FILE_UPLOAD' },
    { key: 'signature', label: 'Signature', type: 'SIGNATURE' },
    { key: 'photo', label: 'Photo', type: 'IMAGE' },
  ] as const;
  const process = await publishProcess(api, [{ title: 'Form', fields }, { title: 'Last' }]);
  const run = await launchRun(api, process.templateId);
  const { runTaskId } = run.byTitle('Form');
  const { id: entryId } = await must(api.call('execution', 'open', { body: { runTaskId } }));
  const requests: string[] = [];
  const runward = createClient({
    baseUrl: app.baseUrl,
    apiKey,
    hooks: {
      onRequest: ({ request, options }) => {
        const path = new URL(request).pathname.replace(/[0-9a-f-]{36}|\[redacted\]/g, '*');
        requests.push(`${options.method} ${path}`);
      },
    },
    ...options,
  });
  return {
    apiKey,
    runward,
    runId: run.id,
    entryId,
    requests,
    field: (key: (typeof fields)[number]['key']) => process.fields[key]?.id ?? '',
    /** The files that values name, the newest first. */
    attached: async () => (await runward.files.list({ executionEntryId: entryId })).data,
  };
}

/** A folder for a test. */
export async function newFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-files-'));
  t.teardown(() => rm(folder, { recursive: true }));
  return folder;
}

/** Interferes with a request. `call` sends it to the service. */
export type Meddle = (call: () => Promise<Response>, request: { url: URL; init: RequestInit }) => Promise<Response>;

/** A fetch function that meddles with the first request to a path. */
export function meddling(path: RegExp, meddle: Meddle): typeof fetch {
  let isDone = false;
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const call = () => fetch(url, init);
    if (isDone || !path.test(`${init.method} ${url.pathname}`)) return call();
    isDone = true;
    return meddle(call, { url, init });
  };
}

/** Lets a request take effect, and loses its response. */
export const loseResponse: Meddle = async (call) => {
  const response = await call();
  await response.arrayBuffer();
  throw new TypeError('fetch failed', { cause: new Error('the connection broke') });
};

/** A body in which the last byte of the first part is another one. */
export function altered(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let isDone = false;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        const copy = new Uint8Array(part);
        const last = copy.length - 1;
        if (!isDone) copy[last] = (copy[last] ?? 0) ^ 1;
        isDone = true;
        controller.enqueue(copy);
      },
    }),
  );
}
