import type { Readable } from 'node:stream';

/** The verdict on a file. FAILED means that the scan had no result, for example because of the file's size. */
export type Verdict =
  | { readonly status: 'CLEAN' }
  | { readonly status: 'INFECTED'; readonly signature: string }
  | { readonly status: 'FAILED'; readonly reason: string };

/** Scans files for viruses. */
export interface VirusScanner {
  /**
   * Scans the content. Throws if the scanner is unreachable or its response is invalid, so that the scan is repeated.
   */
  scan(content: Readable, signal: AbortSignal): Promise<Verdict>;
}
