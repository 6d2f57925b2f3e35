import type { Download } from '../download.ts';
import type { File as UploadedFile } from '../generated/files.ts';
import type { RequestOptions } from '../options.ts';
import type { UploadSource } from './content.ts';

/** The progress of an upload. Starts again at 0 if the upload is retried. */
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
  /** Size of a stream in bytes, if known. A large stream of known size is sent while it is read. */
  readonly size?: number | undefined;
  /**
   * The media type to announce for a large file. The service detects the type itself, and rejects content of another
   * type. Default: the type of an image, from its content; otherwise `application/octet-stream`, which allows every
   * type.
   */
  readonly contentType?: string | undefined;
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** Options of `files.download`. `timeoutMs` limits the time until the headers, then between two parts. */
export interface FileDownloadOptions extends TransferOptions {
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/** Options of `files.save`. */
export interface SaveOptions extends FileDownloadOptions {
  /** Whether an existing file is replaced. Default: false. */
  readonly overwrite?: boolean | undefined;
}

/**
 * An uploaded file as the API returns it. This is the model `File` under a name that does not clash with the global
 * `File`.
 */
export type AttachedFile = UploadedFile;

/** The content of an uploaded file. Reading to the end fails if the content differs from the upload. */
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
   * Uploads a file and attaches it to a field of an open entry. Files up to 8 MiB take one request; larger ones go to a
   * signed URL. Failed attempts are retried, and the file is attached once. The exception is a stream of known size
   * over 8 MiB: after a part of it was read, it cannot be sent again.
   *
   * @throws RunwardError. ConnectionError if the service received different bytes; the file is then removed again
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
   * @throws RunwardError. Reading the stream fails with a ConnectionError if the content is incomplete or was altered
   */
  download(fileId: string, options?: FileDownloadOptions): Promise<FileContent>;
  /**
   * Saves a file to disk (only in Node). If the path is a folder, the file keeps its own name. The file appears only
   * when it is complete and its SHA-256 matches the upload.
   *
   * @throws RunwardError, also if the file exists and `overwrite` is not true
   */
  save(fileId: string, path: string | URL, options?: SaveOptions): Promise<SavedFile>;
}
