import contentDisposition from 'content-disposition';

/** The header `Content-Disposition` of an attachment, in ASCII. A name that is not ASCII is encoded as in RFC 6266. */
export function attachment(fileName: string): string {
  return contentDisposition(fileName, { fallback: fileName.replaceAll(/[^ -~]/gu, '_') });
}
