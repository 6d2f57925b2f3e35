import { appendFileSync } from 'node:fs';
import type { DownloadedFile, UploadedFile } from '../history/history.ts';

/** What clients know about files. */
export interface FileLog {
  readonly uploads: ReadonlyMap<string, UploadedFile>;
  readonly downloads: readonly DownloadedFile[];
  /** Records an uploaded file. Replaces what was recorded for it before. */
  uploaded(file: UploadedFile): void;
  /** Records a deletion: null when it is sent, true when it has succeeded. */
  deleted(id: string, isDeleted: true | null): void;
  downloaded(download: DownloadedFile): void;
}

/** Creates a log that is also appended to a file. */
export function createFileLog(path: string): FileLog {
  const uploads = new Map<string, UploadedFile>();
  const downloads: DownloadedFile[] = [];
  const append = (line: object) => appendFileSync(path, `${JSON.stringify({ at: Date.now(), ...line })}\n`);
  const uploaded = (file: UploadedFile) => {
    uploads.set(file.id, file);
    append(file);
  };
  return {
    uploads,
    downloads,
    uploaded,
    deleted: (id, isDeleted) => {
      const file = uploads.get(id);
      if (file) uploaded({ ...file, isDeleted });
    },
    downloaded: (download) => {
      downloads.push(download);
      append(download);
    },
  };
}
