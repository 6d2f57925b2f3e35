import { createHash } from 'node:crypto';
import type { FieldType } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { endpoints } from '@runward/testing/generated/endpoints';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import type { SharedApp } from '@runward/testing/use-shared-app';
import sharp from 'sharp';

/** An open entry with fields for files, and one more task. */
export interface FileForm {
  readonly org: TestOrganization;
  readonly api: Api;
  readonly templateId: string;
  readonly runId: string;
  readonly runTaskId: string;
  readonly entryId: string;
  field(key: string): string;
  /** Uploads in one call. */
  upload(key: string, content: Uint8Array | string, fileName?: string): ReturnType<typeof directUpload>;
  /** The current value of a field. */
  value(key: string): Promise<unknown>;
}

const types = { papers: 'FILE_UPLOAD', signature: 'SIGNATURE', photo: 'IMAGE', name: 'TEXT' } as const satisfies Record<
  string,
  FieldType
>;

/** Opens a form in an organization. `papers` is required, if it is to be. */
export async function openForm(
  app: SharedApp,
  { org, required = false }: { org?: TestOrganization; required?: boolean } = {},
) {
  const own = org ?? (await newOrganization(app));
  const { api } = own;
  const fields = Object.entries(types).map(([key, type]) => {
    return { key, label: key, type, required: required && key === 'papers' };
  });
  const process = await publishProcess(api, [{ title: 'Form', fields }, { title: 'Last' }]);
  const run = await launchRun(api, process.templateId);
  const { runTaskId } = run.byTitle('Form');
  const { id: entryId } = await must(api.call('execution', 'open', { body: { runTaskId } }));
  const field = (key: string) => process.fields[key]?.id ?? '';
  const form: FileForm = {
    org: own,
    api,
    templateId: process.templateId,
    runId: run.id,
    runTaskId,
    entryId,
    field,
    upload: (key, content, fileName) => directUpload(api, { entryId, fieldId: field(key) }, content, fileName),
    value: async (key) => {
      const entry = await must(api.call('execution', 'get', { params: { id: entryId } }));
      return entry.fieldValues.find(({ runTaskFieldId }) => runTaskFieldId === field(key))?.value;
    },
  };
  return form;
}

/** Uploads a file in one call. */
export function directUpload(
  api: Api,
  { entryId, fieldId }: { entryId: string; fieldId: string },
  content: Uint8Array | string,
  fileName = 'report.txt',
) {
  const file = new File([typeof content === 'string' ? content : new Uint8Array(content)], fileName);
  return api.call('files', 'directUpload', { body: { executionEntryId: entryId, runTaskFieldId: fieldId, file } });
}

/**
 * Announces an upload; `send` sends content to its URL. The origin of the URL is that of the configuration, not of the
 * test's port.
 */
export async function announce(
  app: SharedApp,
  { api, entryId, field }: FileForm,
  key: string,
  {
    size,
    contentType = 'text/plain',
    fileName = 'report.txt',
  }: { size: number; contentType?: string; fileName?: string },
) {
  const body = { executionEntryId: entryId, runTaskFieldId: field(key), fileName, contentType, size };
  const announced = await must(api.call('files', 'uploadUrl', { body }));
  const url = atPort(app, announced.uploadUrl);
  const send = (content: string | Uint8Array | ReadableStream, headers: Record<string, string> = announced.headers) =>
    fetch(url, { method: announced.method, headers, body: content, duplex: 'half' });
  return {
    ...announced,
    url,
    send,
    confirm: () => api.call('files', 'confirm', { body: { fileId: announced.fileId } }),
  };
}

/** A URL of the configured origin at the port of the test. */
export function atPort(app: SharedApp, url: string): URL {
  return new URL(new URL(url).pathname, app.baseUrl);
}

/** Downloads a file by its id. */
export async function download(app: SharedApp, api: Api, id: string, headers: Record<string, string> = {}) {
  const { url } = await must(api.call('files', 'downloadUrl', { params: { id } }));
  return fetch(atPort(app, url), { headers });
}

/** The response for the thumbnail of a file, once it was examined. */
export async function thumbnailOf(api: Api, id: string) {
  return until(async () => {
    const answer = await api.call('files', 'thumbnail', { params: { id } });
    return !String(answer.error.message).includes('retry in a moment') && answer;
  }, 'the examination of the file');
}

/** Lowercase hex SHA-256. */
export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** A small image. */
export function picture(format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png', width = 30, height = 10): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#08c' } })
    .toFormat(format)
    .toBuffer();
}

/** The path of an endpoint without parameters. */
export const directUploadPath = endpoints['files.directUpload'].path;
