import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isApiError } from '@runward/sdk';
import { eicar, hasClamd } from '@runward/server/test-support/clamd';
import { fact } from '../history/history.ts';
import type { Write } from './approval-steps.ts';
import type { ClientContext } from './client-run.ts';

/** What a client does with `Attach`, an optional task whose form takes files. */
export interface FileSteps {
  openAttachments(): Promise<void>;
  /** Uploads a file in one call. */
  uploadDirectly(): Promise<void>;
  /** Announces a file, sends it and confirms it. */
  uploadByUrl(): Promise<void>;
  /** Announces a file and sends it. */
  abandonUpload(): Promise<void>;
  /** Uploads a file with a virus. Tries to download it until the service has removed it. */
  uploadInfected(): Promise<void>;
  /** Downloads the last uploaded file, if it is scanned within a few seconds. */
  download(): Promise<void>;
  /** Deletes the first uploaded file, and tries to download it with an earlier URL. */
  deleteFile(): Promise<void>;
  completeAttachments(): Promise<void>;
}

const maximumBytes = 1_500_000;
/** A GIF of one pixel. It gets a thumbnail, whatever bytes follow it. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const sha256 = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex');

/** The steps of one run. `runTaskId` is its task `Attach`. */
export function fileSteps(
  write: Write,
  { caller, template: { fileFieldId: runTaskFieldId }, random }: ClientContext,
  runTaskId: string,
): FileSteps {
  const { files, read } = caller;
  const submitted = [fact('value.submitted', runTaskId)];
  const attached: string[] = [];
  let entryId = '';

  const newContent = () => {
    const bytes = randomBytes(Math.ceil(random.between(1, maximumBytes)));
    return random.next() < 0.3 ? Buffer.concat([pixel, bytes]) : bytes;
  };
  const upload = async (content: Uint8Array<ArrayBuffer> | string, isInfected: boolean) => {
    const file = new File([content], 'report.bin');
    const { id } = await write('upload file', submitted, (api, options) =>
      api.files.directUpload({ executionEntryId: entryId, runTaskFieldId, file }, options),
    );
    files.uploaded({ id, entryId, sha256: sha256(content), isInfected, isDeleted: false });
    return id;
  };
  const send = async () => {
    const content = newContent();
    const contentType = 'application/octet-stream';
    const announced = { executionEntryId: entryId, runTaskFieldId, fileName: 'report.bin', contentType };
    const { fileId, uploadUrl } = await write('announce file', [], (api, options) =>
      api.files.uploadUrl({ ...announced, size: content.length }, options),
    );
    const body = new Blob([content], { type: contentType });
    await write('send content', [], (api, { idempotencyKey: _, ...options }) =>
      api.files.receive(tokenOf(uploadUrl), body, options),
    );
    return { fileId, content };
  };
  const urlOf = async (id: string) => (await read((api, options) => api.files.downloadUrl(id, options))).url;
  const fetchFile = async (fileId: string, url: string, afterDeletion: boolean) => {
    const get = read(async (api, options) => (await api.files.transfer(tokenOf(url), options)).arrayBuffer());
    const content = await get.catch(nullIfRejected);
    files.downloaded({ fileId, sha256: content && sha256(new Uint8Array(content)), afterDeletion });
  };
  const isScanned = async (id: string) => {
    for (let tries = 0; tries < 12; tries += 1) {
      const { status } = await read((api, options) => api.files.scanStatus(id, options));
      if (status === 'CLEAN' || status === 'SKIPPED') return true;
      await pause(300);
    }
    return false;
  };

  return {
    openAttachments: async () => {
      const opened = [fact('entry.opened', runTaskId)];
      const entry = await write('open form', opened, (api, options) => api.execution.open({ runTaskId }, options));
      entryId = entry.id;
    },
    uploadDirectly: async () => void attached.push(await upload(newContent(), false)),
    uploadByUrl: async () => {
      const { fileId, content } = await send();
      await write('confirm file', submitted, (api, options) => api.files.confirm({ fileId }, options));
      files.uploaded({ id: fileId, entryId, sha256: sha256(content), isInfected: false, isDeleted: false });
      attached.push(fileId);
    },
    abandonUpload: async () => void (await send()),
    uploadInfected: async () => {
      const id = await upload(hasClamd ? eicar : 'No scanner', hasClamd);
      for (let tries = 0; tries < 8; tries += 1) {
        const url = await urlOf(id).catch(nullIfRejected);
        if (url !== null) return fetchFile(id, url, false);
        await pause(300);
      }
    },
    download: async () => {
      const id = attached.at(-1);
      if (id !== undefined && (await isScanned(id))) await fetchFile(id, await urlOf(id), false);
    },
    deleteFile: async () => {
      const id = attached.shift();
      if (id === undefined) return;
      const url = await urlOf(id).catch(nullIfRejected);
      files.deleted(id, null);
      await write('delete file', submitted, (api, options) => api.files.delete(id, options));
      files.deleted(id, true);
      if (url !== null) await fetchFile(id, url, true);
    },
    completeAttachments: async () => {
      const facts = ['entry.completed', 'task.completed'].map((type) => fact(type, runTaskId));
      const body = { executionEntryId: entryId, idempotencyKey: randomUUID() };
      await write('complete form', facts, (api, options) => api.execution.complete(body, options));
    },
  };
}

/** The token in a URL of the service, which any of its processes accepts. */
const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

function nullIfRejected(error: unknown): null {
  if (isApiError(error)) return null;
  throw error;
}
