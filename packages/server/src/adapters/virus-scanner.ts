import type { Readable } from 'node:stream';

/** What a scanner said about a file. FAILED: it examined the file and could not tell, such as because of the size of the file. */
export type Verdict =
  | { readonly status: 'CLEAN' }
  | { readonly status: 'INFECTED'; readonly signature: string }
  | { readonly status: 'FAILED'; readonly reason: string };

/** Scans files for viruses. */
export interface VirusScanner {
  /** Reads the content and scans it. Throws if the scanner cannot be reached or does not respond as it should, so that it is tried again. */
  scan(content: Readable, signal: AbortSignal): Promise<Verdict>;
}
