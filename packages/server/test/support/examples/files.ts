import { contract } from '@runward/contract';
import { newFileId, newImage, newUpload, uploadedText } from '../world/files.ts';
import { type Ids, type World } from '../world/world.ts';
import type { Examples } from './example.ts';

async function freshFile(world: World): Promise<Partial<Ids>> {
  return { file: await newFileId(world, world.ids) };
}

async function uploadedFile(world: World): Promise<Partial<Ids>> {
  const { fileId, token } = await newUpload(world, world.ids);
  const path = contract.files.receive.path.replace(':token', token);
  const { status } = await world.nobody.raw('PUT', path, { body: uploadedText });
  if (status !== 204) throw new Error(`Uploading returned ${status}.`);
  return { file: fileId };
}

/** Calls of files. */
export const fileExamples = {
  files: {
    list: [
      {
        query: ({ entry, fileField, run }) => ({ executionEntryId: entry, runTaskFieldId: fileField, runId: run }),
      },
      { query: ({ run }) => ({ runId: run, total: 'bounded' }) },
    ],
    directUpload: [
      {
        body: ({ entry, fileField }) => ({ executionEntryId: entry, runTaskFieldId: fileField, file: newImage() }),
      },
    ],
    uploadUrl: [
      {
        body: ({ entry, fileField }) => ({
          executionEntryId: entry,
          runTaskFieldId: fileField,
          fileName: 'VAT certificate 2026.pdf',
          contentType: 'application/pdf',
          size: 48_213_604,
        }),
      },
    ],
    confirm: [{ before: uploadedFile, body: ({ file }) => ({ fileId: file }) }],
    delete: [{ before: freshFile }],
    bulkDownloadZip: [{ body: ({ file }) => ({ fileIds: [file] }) }],
    receive: [{ body: () => uploadedText }],
    uploadTemplateAsset: [{ body: ({ template }) => ({ templateId: template, file: newImage() }) }],
    templateAssetUrl: [{ query: ({ asset }) => ({ assetId: asset }) }],
  },
} as const satisfies Examples;
