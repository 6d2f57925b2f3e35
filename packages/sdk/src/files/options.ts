import type { Download } from '../download.ts';
import type { File as UploadedFile } from '../generated/files.ts';
import type { RequestOptions } from '../options.ts';
import type { UploadSource } from './content.ts';

/** How much of a file was sent. Starts again at 0 when the upload is retried. */
export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** How much of a file has arrived. */
export interface DownloadProgress {
  readonly receivedBytes: number;
  readonly totalBytes: number;
}

/** Options of each request that a transfer consists of. */
export type TransferOptions = Pick<RequestOptions, 'signal' | 'timeoutMs' | 'maxRetries'>;

/** Options of `files.upload`. `timeoutMs` is the time without progress. */
export interface UploadOptions extends TransferOptions {
  /** Default: the name of the File or of the path, else `file`. */
  readonly fileName?: string | undefined;
  /** Size of a stream in bytes, if it is known: a large stream is then sent while it is read. */
  readonly size?: number | undefined;
  /**
   * Media type to announce a large file with; the service rejects content of another type. Default: an image by its content, else
   * `application/octet-stream`, which fits everything. The service detects the type itself.
   */
  readonly contentType?: string | undefined;
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** Options of `files.download`. `timeoutMs` is the time to the headers, then between two parts. */
export interface FileDownloadOptions extends TransferOptions {
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/** Options of `files.save`. */
export interface SaveOptions extends FileDownloadOptions {
  /** Whether an existing file is replaced. Default: false. */
  readonly overwrite?: boolean | undefined;
}

/** An uploaded file, as the API returns it: the model `File` under a name that is not that of the global `File`. */
export type AttachedFile = UploadedFile;

/** The content of an uploaded file. Reading it to the end fails if it is not what was uploaded. */
export interface FileContent extends Download {
  readonly size: number;
  /** Lowercase hexadecimal SHA-256 of the content. */
  readonly sha256: string;
}

/** A file that was saved. */
export interface SavedFile extends Pick<FileContent, 'contentType' | 'size' | 'sha256'> {
  /** Where it was saved. */
  readonly path: string;
}

/** Transfers of files, each of several requests. */
export interface FileTransfers {
  /**
   * Uploads a file and attaches it to a field of an open entry: in one request up to 8 MiB, otherwise to a signed URL. Failed attempts are
   * retried, and the file is attached once; only a stream of known size over 8 MiB cannot be sent again after a part of it was read.
   *
   * @throws RunwardError; ConnectionError if the service received other bytes than were sent, and the file is removed again then
   */
  upload(
    executionEntryId: string,
    runTaskFieldId: string,
    source: UploadSource,
    options?: UploadOptions,
  ): Promise<AttachedFile>;
  /**
   * Downloads a file as a stream.
   *
   * @throws RunwardError; reading the stream fails with a ConnectionError if the content is incomplete or was altered
   */
  download(fileId: string, options?: FileDownloadOptions): Promise<FileContent>;
  /**
   * Saves a file on disk (only in Node). If the path is a folder, under its own name. The file is there only when it is complete and has the
   * SHA-256 that it was uploaded with.
   *
   * @throws RunwardError, also if the file exists and `overwrite` is not true
   */
  save(fileId: string, path: string | URL, options?: SaveOptions): Promise<SavedFile>;
}
