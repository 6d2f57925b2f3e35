import type { Settings } from '../settings.ts';
import { createDownload } from './download.ts';
import type { FileTransfers } from './options.ts';
import { createSave } from './save.ts';
import { createUpload, type FileMethods } from './upload.ts';

/** The transfers of files, with the methods that they consist of. */
export function createTransfers(settings: Settings, files: FileMethods): FileTransfers {
  return {
    upload: createUpload(settings, files),
    download: createDownload(settings, files),
    save: createSave(settings, files),
  };
}
