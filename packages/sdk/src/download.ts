import { readFileName } from './file-name.ts';

/** A streamed response. It can be read only once, as a stream or by one of the methods. */
export interface Download {
  /** Media type, like `text/csv; charset=utf-8`. */
  readonly contentType: string;
  /** The file name of the response, without folders. `download` if it has none. */
  readonly fileName: string;
  /** Size in bytes; null if the response does not state it. */
  readonly size: number | null;
  /** The content as it arrives. Read it to the end or cancel it. Fails with a RunwardError if it is incomplete. */
  readonly body: ReadableStream<Uint8Array>;
  text(): Promise<string>;
  blob(): Promise<Blob>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** What the headers of a response say about its body. */
export function describeBody({ headers }: Response): Pick<Download, 'contentType' | 'fileName' | 'size'> {
  return {
    contentType: headers.get('content-type') ?? 'application/octet-stream',
    fileName: readFileName(headers.get('content-disposition')) ?? 'download',
    size: sizeOf(headers),
  };
}

/** A stream as a download. */
export function toDownload(
  { contentType, fileName, size }: Pick<Download, 'contentType' | 'fileName' | 'size'>,
  body: ReadableStream<Uint8Array>,
): Download {
  const read = () => new Response(body, { headers: { 'content-type': contentType } });
  return {
    contentType,
    fileName,
    size,
    body,
    text: async () => read().text(),
    blob: async () => read().blob(),
    arrayBuffer: async () => read().arrayBuffer(),
  };
}

/** The size of a body in bytes; null if unknown. With a content encoding, Content-Length counts the encoded bytes. */
export function sizeOf(headers: Headers): number | null {
  const length = headers.get('content-length') ?? '';
  return /^\d+$/.test(length) && !headers.has('content-encoding') ? Number(length) : null;
}
