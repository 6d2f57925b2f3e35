import contentDisposition from 'content-disposition';

/** The header `Content-Disposition` of an attachment: ASCII only, with the real name as RFC 6266 encodes it if that is not. */
export function attachment(fileName: string): string {
  return contentDisposition(fileName, { fallback: fileName.replaceAll(/[^ -~]/gu, '_') });
}
