import { leaf, type CommandTree } from '../tree.ts';

/** The hand-written commands of `runward files`, which its help lists first. */
export const commands: CommandTree = {
  upload: leaf(
    'Upload files and attach them to a field of a task',
    async () => (await import('./upload.ts')).uploadFiles,
  ),
  list: leaf(
    'List the files attached to a run, an entry or a field, newest first',
    async () => (await import('./list.ts')).listFiles,
  ),
  download: leaf('Download a file and verify its SHA-256', async () => (await import('./download.ts')).downloadFile),
  zip: leaf('Download several files as one ZIP', async () => (await import('./zip.ts')).zipFiles),
};
