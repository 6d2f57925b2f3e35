import type { FilesMethods } from '../generated/files.ts';
import type { Settings } from '../settings.ts';
import { createDownload } from './download.ts';
import type { FileTransfers } from './options.ts';
import { createSave } from './save.ts';
import { createUpload } from './upload.ts';

/** The transfers of files, with the methods that they consist of. */
export function createTransfers(settings: Settings, files: FilesMethods): FileTransfers {
  return {
    upload: createUpload(settings, files),
    download: createDownload(settings, files),
    save: createSave(settings, files),
  };
}
